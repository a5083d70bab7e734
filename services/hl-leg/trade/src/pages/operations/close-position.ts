import { refuse } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { nothingToClose, paperBookUnknown } from '@svc/contracts/hl-trade/books'
import { exact } from '@svc/hyperliquid/rounding'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Address } from 'viem'
import { ownAccountOf } from '#account/own-account.ts'
import { paperPositions } from '#books/paper-positions.ts'
import type { Context } from '#context.ts'
import { readOwnAccount } from '#orders/read-scene.ts'
import { orderKeyOf, requestHash } from '#orders/rules/order-keys.ts'
import { requestOf } from '#orders/trade-request.ts'
import { coinOf } from '@svc/venue/rules/market-id'
import { placeOrder } from '../place-order.ts'

export const closePosition: BoundHandler<Context, typeof hlTrade.operations.closePosition> =
  (context) => async (input, call) => {
    const { mode_seen: modeSeen, mode = modeSeen, market, max_slippage, book, dry_run } = input
    const { account_id: accountId } = callerOf(call)
    // A repetition finds its order by the request, because the position is another by then.
    const bound = [mode, market, input.size ?? null, max_slippage ?? null, book ?? null]
    const orderKey = dry_run ? null : orderKeyOf('close', call.idempotencyKey)
    const make = async () => {
      const held =
        mode === 'live' ? await liveSize(context, accountId, market) : await paperSize(context, accountId, market, book)
      if (held === null) refuse(nothingToClose)
      const side = held.startsWith('-') ? ('buy' as const) : ('sell' as const)
      const size = input.size ?? exact(held).abs().toFixed()
      const order = { market, side, size, reduce_only: true, max_slippage, book, dry_run }
      return requestOf(order, call, context.settings, { door: 'pages', route: 'close', mode, bound })
    }
    return placeOrder(context, call, { bound: { accountId, orderKey, hash: requestHash(bound) }, modeSeen, make })
  }

/** Returns the signed size of a live position; null without one. An account that is not linked is judged by the order. */
async function liveSize(context: Context, ownerId: number, market: string): Promise<string | null> {
  const own = await ownAccountOf(context, ownerId)
  if (own === null) return '0'
  const { positions } = await readOwnAccount(context, 'orders', own.wallet as Address)
  return positions.find(({ coin }) => coin === coinOf(market))?.size ?? null
}

/** Returns the signed size of a position of a paper book, without a name the oldest one; null without a position. */
async function paperSize(
  context: Context,
  ownerId: number,
  market: string,
  book: string | undefined,
): Promise<string | null> {
  const books = await paperPositions(context, ownerId)
  const found = (book === undefined ? books[0] : books.find((one) => one.book === book)) ?? refuse(paperBookUnknown)
  const position = found.positions.find((one) => one.market === market)
  if (position === undefined) return null
  return position.side === 'short' ? `-${position.size}` : position.size
}
