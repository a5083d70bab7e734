import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { hlRelay } from '@svc/contracts/hl-relay'
import type { BoundHandler } from '@svc/service'
import { walkBook, type Quantity } from '@svc/venue/rules/walk-book'
import type { Context } from '#context.ts'
import { middleOf } from '@svc/venue/rules/prices'
import { takerFeeOf } from '@svc/venue/rules/taker-fee'
import { readBook } from '../read-book.ts'
import { requireMarket } from '../read-market.ts'

export const walkVenueBook: BoundHandler<Context, typeof hlRelay.operations.walkVenueBook> =
  (context) => async (input) => {
    const { coin, side, limit_price, max_age_ms } = input
    const quantity = quantityOf(input)
    const { sizeDecimals } = await requireMarket(context, coin)
    const book = await readBook(context, { by: 'relays', maxAgeMs: max_age_ms, staleMs: max_age_ms }, coin)
    const takerFee = takerFeeOf(coin)
    const limit = limit_price === undefined ? {} : { limitPrice: limit_price }
    const walk = walkBook(book, { side, quantity, takerFee, sizeDecimals, ...limit })
    const [bid, ask] = [book.bids[0]?.price ?? null, book.asks[0]?.price ?? null]
    return ok(200, {
      coin,
      at: book.at.toISOString(),
      best_price: side === 'buy' ? ask : bid,
      middle_price: middleOf(bid, ask),
      filled_size: walk.filledSize,
      average_price: walk.averagePrice,
      worst_price: walk.worstPrice,
      notional_usdc: walk.notionalUsdc,
      fee_usdc: walk.feeUsdc,
      taker_fee: takerFee,
      unfilled: walk.unfilled,
    })
  }

/** Returns the quantity of an order, of which a request must name exactly one form. */
function quantityOf(input: {
  readonly size?: string | undefined
  readonly amount_usdc?: string | undefined
}): Quantity {
  const { size, amount_usdc } = input
  if (size !== undefined && amount_usdc === undefined) return { size }
  if (amount_usdc !== undefined && size === undefined) return { amountUsdc: amount_usdc }
  return refuse(common.invalidRequest, undefined, {}, [
    { pointer: '/size', code: 'exactly_one', detail: 'Send either size or amount_usdc.' },
  ])
}
