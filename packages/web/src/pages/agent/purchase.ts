import { Problem } from '../../lib/problem.ts'

/**
 * What a failed purchase says: `paid`, a purchase of this quote went through; `refused`, nothing was charged; `unknown`, it may
 * have been paid.
 */
export type PurchaseOutcome = 'paid' | 'refused' | 'unknown'

/**
 * Returns what a failure says of a purchase by a quote. After an unknown outcome only a word about the quote itself is definite:
 * any other refusal may come before the service looks for the first purchase.
 */
export function purchaseOutcome(error: unknown, wasUnknown: boolean): PurchaseOutcome {
  if (!(error instanceof Problem) || error.status < 400 || error.status >= 500) return 'unknown'
  if (error.code === 'quote_stale') return error.body['reason'] === 'used' ? 'paid' : 'refused'
  return wasUnknown ? 'unknown' : 'refused'
}
