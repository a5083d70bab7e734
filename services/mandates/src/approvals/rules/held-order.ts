import { createHash } from 'node:crypto'
import type { LegOrderRequest } from '@svc/contracts/mandates/approvals'
import { canonicalJson } from '#record/rules/record-hash.ts'

/** Share above the shown notional that an approval of an order covers, in percent. */
const COVERED_ABOVE_PERCENT = 2n

/** Returns SHA-256, as 0x hex, over the mandate and the order as its agent requested it. */
export function orderHash(mandate: string, order: LegOrderRequest): string {
  const { market, side, amount_usdc, size, reduce_only, max_slippage } = order
  const bound = { mandate, market, side, amount_usdc, size, reduce_only, max_slippage }
  return `0x${createHash('sha256').update(canonicalJson(bound)).digest('hex')}`
}

/** Returns the greatest notional that the approval of an order shown with this notional covers. */
export const coveredBy = (shown: bigint): bigint => (shown * (100n + COVERED_ABOVE_PERCENT)) / 100n
