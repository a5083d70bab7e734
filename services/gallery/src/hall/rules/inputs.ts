import type { HallDetail } from '@svc/contracts/gallery/hall'

/** Facts of a mandate, from which its part of a row is computed. Days are days since 1970-01-01, amounts base units. */
export interface MandateInput {
  readonly publicId: string
  readonly ownerId: number
  readonly state: 'signed' | 'working' | 'paused' | 'stopped' | 'ended' | 'closed'
  readonly proof: { readonly chainId: number; readonly vault: string } | null
  readonly hlLeg: boolean
  readonly principal: number
  readonly opened: number | null
  readonly ended: number | null
  readonly record: { readonly seq: number; readonly hash: string }
  readonly tradesTotal: number
  /** Day of the newest point; null before the first. */
  readonly marked: number | null
  readonly days: DayColumns
  /** By day and kind, for days with refusals alone. */
  readonly refusals: readonly (readonly [day: number, byKind: Readonly<Record<string, number>>])[]
  /** Blocks of the points by day, for a mandate that anybody may verify. */
  readonly blocks: readonly (readonly [day: number, blocks: readonly number[]])[]
}

/** Columns of the days of a mandate, in rising order. */
export interface DayColumns {
  readonly day: readonly number[]
  /** Null where it equals the peak. */
  readonly start: readonly (number | null)[]
  readonly peak: readonly number[]
  readonly gain: readonly number[]
  readonly trades: readonly number[]
  readonly violations: readonly number[]
  readonly foreign: readonly number[]
}

/** Facts of an agent with all its mandates, oldest first. */
export interface AgentInput {
  readonly agentId: number
  readonly name: string
  readonly accepting: boolean
  /** Other agents of the same paired owner. */
  readonly siblings: number
  /** Owners who are the agent's paired owner or share its wallet. */
  readonly ownOwners: ReadonlySet<number>
  readonly policyChanges: HallDetail['policy_changes']
  readonly mandates: readonly MandateInput[]
}
