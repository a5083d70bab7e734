import { exact } from '@svc/hyperliquid/rounding'
import type { Look } from '@svc/outbound/rules'
import { sumFills, type Fill } from '@svc/venue/rules/fills'
import { SETTLED_MS } from '@svc/venue/rules/resolve-order'

/** How an order ended that a key in the browser may have posted, without its executions. */
export interface PostedEnd {
  readonly state: 'filled' | 'partial' | 'missed'
  readonly reason: string | null
}

/** The venue may list an execution so much later than the order expired. */
const LISTED_AFTER_MS = 60_000

/**
 * Returns a look-up of an order that was not recorded, by the executions of its wallet that carry our id for it, oldest first. Until
 * `knownMs`, a time of the venue's clock, none of them is missing.
 */
export function lookOfPosted(fills: readonly Fill[], knownMs: number): Look {
  const last = fills.at(-1)
  const isSettled = knownMs >= (last?.time ?? 0) + SETTLED_MS
  return { began: knownMs - LISTED_AFTER_MS, says: isSettled ? 'ended' : 'open', executed: last !== undefined }
}

/** Returns how an order of `size` ended that such a look-up proves to have ended. */
export function endOfPosted(size: string, fills: readonly Fill[]): PostedEnd {
  if (fills.length === 0) return { state: 'missed', reason: 'the venue lists no execution of the order' }
  return { state: exact(sumFills(fills).size).gte(size) ? 'filled' : 'partial', reason: null }
}
