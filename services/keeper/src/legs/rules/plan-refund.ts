/** Foreign money that the pool sends back. Base units of USDC. */
export interface Refund {
  readonly do: 'refund'
  readonly amount: bigint
}

/** Smallest refund: 1 USDC. */
const MIN = 1_000_000n

/** Decides on sending foreign money back; null below the minimum. hl-leg allows one a day and address. */
export const planRefund = (refundable: bigint): Refund | null =>
  refundable < MIN ? null : { do: 'refund', amount: refundable }
