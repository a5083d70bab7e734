import { exact } from '@svc/hyperliquid/rounding'
import type { Executed } from './fills.ts'

/** What an attempt to send told, as the venue's client classifies it. */
export type Sent =
  | { readonly kind: 'accepted'; readonly orders: readonly SentOrder[] }
  | { readonly kind: 'landed' }
  | { readonly kind: 'refused' | 'unknown' | 'retriable' | 'ours'; readonly reason: string }
export type SentOrder =
  | { readonly kind: 'filled'; readonly oid: number; readonly size: string }
  | { readonly kind: 'resting'; readonly oid: number }
  | { readonly kind: 'missed' | 'refused'; readonly reason: string }

/** What is known about an order that was sent. `again` sends the same bytes once more; `look` asks the venue. */
export type Known =
  | { readonly kind: 'executed'; readonly oid: number; readonly size: string }
  | { readonly kind: 'missed'; readonly reason: string }
  /** `unadmitted`: the venue refused the bytes before it took their nonce, so that another copy of them might still execute. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly unadmitted?: true }
  | { readonly kind: 'again' }
  | { readonly kind: 'look' }

/**
 * Decides after an attempt. `first` is true only if no copy of these bytes can have reached the venue before: what a
 * later copy is told, such as that it expired, says nothing about an earlier one that may have executed.
 */
export function afterSending(sent: Sent, first: boolean): Known {
  switch (sent.kind) {
    case 'accepted':
      return afterAdmission(sent.orders[0])
    case 'refused':
    case 'ours':
      return first ? { kind: 'rejected', reason: sent.reason, unadmitted: true } : { kind: 'look' }
    case 'landed':
      return { kind: 'look' }
    case 'unknown':
    case 'retriable':
      return { kind: 'again' }
  }
}

/** The venue admits a nonce once, so the result of an admitted order is final. */
function afterAdmission(result: SentOrder | undefined): Known {
  switch (result?.kind) {
    case 'filled':
      return { kind: 'executed', oid: result.oid, size: result.size }
    case 'missed':
      return { kind: 'missed', reason: result.reason }
    case 'refused':
      return { kind: 'rejected', reason: result.reason }
    // An immediate-or-cancel order never rests, and an answer without a result is none.
    case 'resting':
    case undefined:
      return { kind: 'look' }
  }
}

/** An order as the venue lists it by our id for it; `open` while it can still execute. */
export interface Listed {
  readonly oid: number
  readonly status: string
  readonly size: string
  /** What it did not execute. */
  readonly remaining: string
}

/** What the venue tells when it is asked for an order. */
export interface LookedUp {
  /** Null: the venue knows no order with this id. */
  readonly listed: Listed | null
  /** Sum of the executions that carry the id. */
  readonly filled: Executed
  /** The venue's time, Unix milliseconds. */
  readonly venueMs: number
}

/** How long after its expiry an order that the venue does not know counts as never executed. */
const UNKNOWN_FOR_MS = 15_000

/**
 * Decides after the venue was asked for the order; null while nothing is certain. Unknown to the venue, it counts as
 * missed once the venue's own time is 15 s past its expiry and no execution carries its id.
 */
export function afterLook({ listed, filled, venueMs }: LookedUp, expiresAfterMs: number): Known | null {
  const some = exact(filled.size).gt(0)
  if (listed === null)
    return some || venueMs <= expiresAfterMs + UNKNOWN_FOR_MS
      ? null
      : { kind: 'missed', reason: 'the venue never saw the order before it expired' }
  if (listed.status === 'open') return null
  const executed = exact(listed.size).minus(listed.remaining)
  if (executed.gt(0)) return { kind: 'executed', oid: listed.oid, size: executed.toFixed() }
  if (some) return null
  return /reject/i.test(listed.status) && listed.status !== 'iocCancelRejected'
    ? { kind: 'rejected', reason: listed.status }
    : { kind: 'missed', reason: listed.status }
}

/** Returns true if the executions that were read are all of the order: the venue may list them a moment later. */
export const allRead = (filled: Executed, size: string): boolean => exact(filled.size).eq(size)

/** Returns how an executed order ended. */
export const endOf = (asked: string, executed: string): 'filled' | 'partial' =>
  exact(executed).gte(asked) ? 'filled' : 'partial'
