import type { HallDetail } from '@svc/contracts/gallery/hall'
import type { MandateDay } from './agent-days.ts'

/** Facts of a mandate, from which its part of a row is computed. Days are days since 1970-01-01, amounts base units. */
export interface MandateInput {
  readonly publicId: string
  readonly ownerId: number
  readonly state: 'signed' | 'working' | 'paused' | 'stopped' | 'ended' | 'closed'
  readonly proof: { readonly chainId: number; readonly vault: string } | null
  readonly hlLeg: boolean
  readonly principal: number
  /** Worth at which the keeper stops the agent; 0 for none. */
  readonly stopLine: number
  /** The newest closed day that ended with what is rated at least, with its worth; null without one. */
  readonly closing: { readonly day: number; readonly worth: number } | null
  readonly opened: number | null
  readonly ended: number | null
  readonly record: { readonly seq: number; readonly hash: string }
  readonly tradesTotal: number
  /** Day of the newest point; null before the first. */
  readonly marked: number | null
  /** Rated days, also one that is not closed yet, in rising order. */
  readonly days: readonly MandateDay[]
  /** Trades in each window, in the order of `HALL_WINDOWS`, and today. */
  readonly trades: readonly [number, number, number, number]
  /** Days with violations or with fills that are not of the mandate, in rising order. */
  readonly acts: readonly { readonly day: number; readonly violations: number; readonly foreign: number }[]
  /** By day and kind, for days with refusals alone. */
  readonly refusals: readonly (readonly [day: number, byKind: Readonly<Record<string, number>>])[]
  /** Blocks of the points by day, for a mandate that anybody may verify. */
  readonly blocks: readonly (readonly [day: number, blocks: readonly number[]])[]
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
