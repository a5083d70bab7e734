import { exact, usdcUp } from '@svc/hyperliquid/rounding'
import { randomUUID } from 'node:crypto'
import type { Context } from '#context.ts'
import type { Leg } from '#legs/store/legs.ts'
import type { Position, Reading } from '#venue/rules/reading.ts'
import { marketIdOf } from '#venue/rules/market-id.ts'
import type { VenueMarket } from '#venue/store/markets.ts'
import { JUDGING_MS } from './claim-order.ts'
import { followOrder } from './follow-order.ts'
import { cloidOf } from './rules/order-keys.ts'
import { prepareSigning, signOrder } from './sign-order.ts'
import { insertOrder, postpone, type LegOrder } from './store/orders.ts'
import { tellMandates } from './tell-mandates.ts'

/** A close of this house: of the stop line, or before money is returned. */
export interface HouseClose {
  readonly leg: Leg
  readonly by: 'stop_line' | 'return'
  readonly position: Position
  readonly market: VenueMarket
  /** Worst price, on the venue's grid. */
  readonly worstPrice: string
  readonly reading: Reading
}

/**
 * Closes a position with one reduce-only order of its whole size: stored, signed, sent, and followed in at most `steps`
 * requests. It asks nobody for a judgement and waits for no order. Returns the order; while its state is `signed` the job
 * goes on with it.
 */
export async function sendClose(context: Context, close: HouseClose, steps = 1): Promise<LegOrder> {
  const { pool, clock } = context
  const now = clock.now()
  const nextAt = new Date(now.getTime() + JUDGING_MS)
  const [order, prepared] = await Promise.all([
    insertOrder(pool, newClose(close, `${close.by}:${randomUUID()}`), now, nextAt),
    prepareSigning(context, close.leg, { opening: false }),
  ])
  if (order === null) throw new Error('a random key was used before')
  const signed = await signOrder(context, { leg: close.leg, order, asset: close.market.asset, prepared }, null)
  if (signed === null) throw new Error('a close was taken over while it was signed')
  const followed = await followOrder(context, signed, { first: true, steps })
  if (followed.resolvedAt !== null) return tellMandates(context, followed)
  await postpone(pool, followed.id, clock.now())
  return followed
}

function newClose({ leg, by, position, worstPrice, reading }: HouseClose, orderKey: string) {
  const size = exact(position.size).abs().toFixed()
  return {
    publicId: leg.publicId,
    orderKey,
    requestHash: orderKey,
    clientId: null,
    accountId: null,
    by,
    ownerId: leg.ownerId,
    account: leg.owner,
    network: leg.network,
    market: marketIdOf(position.coin),
    coin: position.coin,
    dex: position.dex,
    side: position.size.startsWith('-') ? ('buy' as const) : ('sell' as const),
    opening: false,
    size,
    worstPrice,
    markPrice: position.markPrice,
    notionalUsdc: usdcUp(exact(size).times(worstPrice)),
    cloid: cloidOf(leg.publicId, orderKey),
    readings: reading.dexes.flatMap(({ dex, at, accountValue }) =>
      at === null ? [] : { dex, time: at.getTime(), account_value_usdc: accountValue },
    ),
    bookTime: 0,
  }
}
