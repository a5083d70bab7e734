import type { ChainPoint } from '#books/rules/chain-order.ts'
import type { Limits } from '@svc/limits'
import type { MandateValues } from './mandate-columns.ts'

/** The designated agent. */
export interface AgentOfMandate {
  readonly id: number
  readonly wallet: string
}

/** The account that owns a mandate. An unowned draft has no record, no state to change and no events. */
export function ownerIdOf({ owner }: Pick<Mandate, 'owner'>): number {
  if (owner === null) throw new Error('an unowned draft has no owner')
  return owner.id
}

/** A stored mandate. */
export interface Mandate extends Readonly<MandateValues> {
  /** Null while the draft waits to be claimed. */
  readonly owner: { readonly id: number; readonly wallet: string } | null
  readonly limits: Limits
  readonly agent: AgentOfMandate | null
  /** Who stopped it in the record; null without a stop. An owner's stop takes the place of the stop line's. */
  readonly stoppedInRecordBy: 'owner' | 'stop_line' | null
  /** The newest block known at the record's stop; null without a stop, or when the chain could not be read then. */
  readonly stoppedHead: ChainPoint | null
  /** Number and hash of the newest entry of the record; 0 and '' before the first. */
  readonly record: { readonly seq: number; readonly hash: string }
}
