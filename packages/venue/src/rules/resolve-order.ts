import { exact } from '@svc/hyperliquid/rounding'
import { refusalEnds, type Copies, type Look, type Word } from '@svc/outbound/rules'
import { sumFills, type Executed, type Fill } from './fills.ts'

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
  /** `copies`: the end holds only while no more copies of the bytes have been counted; null: whatever was sent. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly copies: number | null }
  | { readonly kind: 'again' }
  | { readonly kind: 'look' }

/** How long after its expiry every execution of an order is listed, by the venue's clock. */
const LISTED_AFTER_MS = 15_000

/** Returns the time of the venue's clock after which an order executes no more, and its executions are listed. Unix milliseconds. */
const overAfter = (expiresAfterMs: number): number => expiresAfterMs + LISTED_AFTER_MS

/** Returns the copies of an order: so many have been counted, and they expire at the same time. */
export const copiesOf = (count: number, expiresAfterMs: number): Copies => ({
  count,
  overAfter: overAfter(expiresAfterMs),
})

/**
 * Decides after an attempt. What one copy is told, such as that it expired, says nothing about another one that may have executed:
 * a refusal before the venue took the nonce ends the order only as that of its only copy. The others are looked up.
 */
export function afterSending(sent: Sent, copies: Copies): Known {
  switch (sent.kind) {
    case 'accepted':
      return afterAdmission(sent.orders[0])
    case 'refused':
    case 'ours':
      return refusalEnds(copies, null)
        ? { kind: 'rejected', reason: sent.reason, copies: copies.count }
        : { kind: 'look' }
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
      // Filled with nothing executed is a contradiction.
      return exact(result.size).gt(0) ? { kind: 'executed', oid: result.oid, size: result.size } : { kind: 'look' }
    case 'missed':
      return { kind: 'missed', reason: result.reason }
    case 'refused':
      return { kind: 'rejected', reason: result.reason, copies: null }
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
  /** What it did not execute. The venue may leave it at the size of the order. */
  readonly remaining: string
}

/** What the venue tells when it is asked for an order. */
export interface LookedUp {
  /** Null: the venue knows no order with this id. */
  readonly listed: Listed | null
  /** Executions that carry the id, oldest first. */
  readonly fills: readonly Fill[]
  /** The venue's time when the look-up began, Unix milliseconds. */
  readonly venueMs: number
}

/** Executions of one order arrive at once; so long after its newest one none is added. */
export const SETTLED_MS = 5_000

/**
 * Returns a look-up as evidence, by the time until which the venue lists every execution. What was executed is what the executions
 * say; the listing says how much of it must be there: if less is there, the venue contradicts itself.
 */
export function lookOf({ listed, fills, venueMs }: LookedUp): Look {
  const filled = exact(sumFills(fills).size)
  const shown = listed === null ? exact(0) : exact(listed.size).minus(listed.remaining)
  const executed = filled.gt(0) || shown.gt(0)
  const look = { began: venueMs - LISTED_AFTER_MS, says: wordOf(listed, executed), executed }
  if (listed === null || !executed || (look.says !== 'done' && look.says !== 'ended')) return look
  if (filled.lt(shown)) return { ...look, says: 'done', executed: false }
  const isSettled = venueMs >= (fills.at(-1)?.time ?? venueMs) + SETTLED_MS
  const isWhole = filled.eq(shown) || filled.gte(listed.size) || isSettled
  return isWhole ? look : { ...look, says: 'open' }
}

/** What became of an order for certain. */
export type Certain = Extract<Known, { kind: 'executed' | 'missed' | 'rejected' }>

/** Returns what became of an order by the look-up that proves it. */
export function endOfLook(
  { listed, fills }: Pick<LookedUp, 'listed' | 'fills'>,
  evidence: 'done' | 'not_done',
): Certain {
  return evidence === 'done' && listed !== null
    ? { kind: 'executed', oid: listed.oid, size: sumFills(fills).size }
    : notDone(listed)
}

const NOTHING_MATCHED = 'iocCancelRejected'

/** Returns what the status of a listed order says; a venue that cancelled the rest of an order may call that a rejection too. */
function wordOf(listed: Listed | null, executed: boolean): Word {
  if (listed === null) return 'unknown'
  if (listed.status === 'open') return 'open'
  if (listed.status === 'filled') return 'done'
  if (listed.status === NOTHING_MATCHED && executed) return 'ended'
  return /reject/i.test(listed.status) ? 'refused' : 'ended'
}

function notDone(listed: Listed | null): Certain {
  if (listed === null) return { kind: 'missed', reason: 'the venue never saw the order before it expired' }
  const { status } = listed
  return /reject/i.test(status) && status !== NOTHING_MATCHED
    ? { kind: 'rejected', reason: status, copies: null }
    : { kind: 'missed', reason: status }
}

/** Returns true if the executions that were read are all of the order: the venue may list them a moment later. */
export const allRead = (filled: Executed, size: string): boolean => exact(filled.size).eq(size)

/** Returns how an executed order ended. */
export const endOf = (asked: string, executed: string): 'filled' | 'partial' =>
  exact(executed).gte(asked) ? 'filled' : 'partial'
