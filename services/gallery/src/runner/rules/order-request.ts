import { exact, floorUsdc } from '@svc/hyperliquid/rounding'
import type { FollowOrder } from '#follows/rules/decide-signal.ts'
import { quantityOf } from '#follows/rules/order-quantity.ts'

/** Key of an order of the house runner: mandate, signal, and 1 or 2. */
export const orderKeyOf = (mandateId: string, signalId: string, n: 1 | 2): string =>
  `house-${mandateId}-${signalId}-${n}`

/** What an order is sent with beyond what the signal decided. */
export interface Bounds {
  readonly market: string
  /** Worst price at which followers may open; null for none. */
  readonly limitPrice: string | null
  /** Price of the market now, with the decimals of its sizes; null if unknown: then the order is sent by its amount. */
  readonly price: { readonly mark: string; readonly sizeDecimals: number } | null
  /** Largest open that passes now, in base units; null: unknown. */
  readonly openMax: bigint | null
  /** Widest band of the deployment, as a fraction. */
  readonly band: string
  readonly notAfter: Date
}

/** Returns the body of an order as it is stored and sent, however often. */
export function orderBody(order: FollowOrder, bounds: Bounds): string {
  const { side, reduceOnly } = order
  const { market, price, openMax, notAfter } = bounds
  const slippage = reduceOnly ? null : slippageOf(side, bounds)
  const sizing = price === null ? null : { ...price, openMax, band: slippage ?? bounds.band }
  const { size, amountUsdc } = sizing === null ? order : quantityOf(order, sizing)
  return JSON.stringify({
    market,
    side,
    ...(size === null ? { amount_usdc: amountUsdc } : { size }),
    reduce_only: reduceOnly,
    ...(slippage === null ? {} : { max_slippage: slippage }),
    not_after: notAfter.toISOString(),
  })
}

/** Returns the band that keeps an open within the limit price; null: that of the deployment does. */
function slippageOf(side: 'buy' | 'sell', { limitPrice, price, band }: Bounds): string | null {
  if (limitPrice === null || price === null) return null
  const { mark } = price
  const room = exact(limitPrice)
    .minus(mark)
    .div(mark)
    .times(side === 'buy' ? 1 : -1)
  if (room.gte(band)) return null
  return room.gte('0.000001') ? floorUsdc(room) : '0.000001'
}
