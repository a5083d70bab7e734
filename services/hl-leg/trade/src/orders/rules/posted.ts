import { exact } from '@svc/hyperliquid/rounding'
import { evidenceOf } from '@svc/outbound/rules'
import { sumFills, type Fill } from '@svc/venue/rules/fills'
import { SETTLED_MS } from '@svc/venue/rules/resolve-order'

/** An order that a key in the browser may have posted, with the executions that carry our id for it. */
export interface Posted {
  readonly size: string
  /** Unix milliseconds after which the venue admits it no more. */
  readonly expiresMs: number
  readonly fills: readonly Fill[]
  readonly oid: number | null
}

/** How a posted order ended for certain. */
export interface PostedEnd {
  readonly state: 'filled' | 'partial' | 'missed'
  readonly oid: number | null
  readonly fills: readonly Fill[]
  readonly reason: string | null
}

/** The venue may list an execution so much later than the order expired. */
const LOOKED_FOR_MS = 60_000

/**
 * Decides what became of an order that was not recorded, from the executions of its wallet; null while nothing is certain.
 * It is missed only when the venue's own time is a minute past its expiry and no execution carries its id.
 */
export function endOfPosted({ size, expiresMs, fills, oid }: Posted, venueMs: number): PostedEnd | null {
  const last = fills.at(-1)
  const look = { began: venueMs, says: 'ended', executed: last !== undefined } as const
  const evidence = evidenceOf(look, expiresMs + LOOKED_FOR_MS)
  if (evidence === 'not_done')
    return { state: 'missed', oid: null, fills: [], reason: 'the venue lists no execution of the order' }
  if (evidence !== 'done' || venueMs < (last?.time ?? venueMs) + SETTLED_MS) return null
  const state = exact(sumFills(fills).size).gte(size) ? 'filled' : 'partial'
  return { state, oid, fills, reason: null }
}
