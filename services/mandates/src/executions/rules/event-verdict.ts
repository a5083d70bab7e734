import type { Limits } from '@svc/limits'

/** An event as its agent reports it. Amounts are USDC base units. */
export interface ReportedEvent {
  readonly kind: 'buy' | 'sell' | 'move' | 'fee' | 'resolve' | 'note'
  readonly side: 'buy' | 'sell' | null
  readonly market: string | null
  readonly amount: bigint | null
  readonly at: Date
}

/** The sums of the service, from the chain alone: what agents report is never added to them. */
export interface OwnSums {
  readonly limits: Limits
  /** Pulled on the event's UTC day. */
  readonly used: bigint
  /** Clause 6 as it is in force; null when nothing is held. */
  readonly approvalAbove: bigint | null
  /** Since when the record forbids acting; null while it does not. */
  readonly stoppedInRecordAt: Date | null
  /** Whether the owner has approved a call of this amount. */
  readonly approved: boolean
}

/** Which clause a reported event breaks; null for what no clause says. */
export interface EventViolation {
  readonly reason:
    | 'market_not_allowed'
    | 'over_per_tx_cap'
    | 'over_daily_cap'
    | 'after_end'
    | 'after_stop'
    | 'unapproved'
  readonly clause: 2 | 3 | 4 | 5 | 6 | null
  readonly detail: string
}

/** The first clause that a reported event breaks; null when it breaks none. Only what spends counts against the caps. */
export function eventViolation(event: ReportedEvent, sums: OwnSums): EventViolation | null {
  if (event.kind === 'note' || event.kind === 'resolve') return null
  const { limits, used, approvalAbove } = sums
  if (event.market !== null && !limits.markets.includes(event.market))
    return { reason: 'market_not_allowed', clause: 4, detail: 'The mandate does not allow this market.' }
  if (event.side === 'sell' || event.kind !== 'buy' || event.amount === null) return null
  if (sums.stoppedInRecordAt !== null && event.at > sums.stoppedInRecordAt)
    return { reason: 'after_stop', clause: null, detail: 'The owner had stopped the mandate.' }
  if (event.at >= limits.endsAt) return { reason: 'after_end', clause: 5, detail: 'The mandate had ended.' }
  if (event.amount > limits.perTxCap)
    return { reason: 'over_per_tx_cap', clause: 2, detail: 'The amount is above the cap of one transaction.' }
  if (used + event.amount > limits.dailyCap)
    return {
      reason: 'over_daily_cap',
      clause: 3,
      detail: 'With what the chain shows of that day it is above the daily cap.',
    }
  if (!sums.approved && approvalAbove !== null && event.amount > approvalAbove)
    return { reason: 'unapproved', clause: 6, detail: 'The amount needs an approval of the owner, and has none.' }
  return null
}
