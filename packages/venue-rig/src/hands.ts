import { tick } from './clock.ts'
import { marketOf } from './markets.ts'
import { placeOrders } from './orders.ts'
import { matchResting } from './resting.ts'
import { type MarginTier, type Market, now, num, type State, text } from './state.ts'
import { refill } from './world.ts'

export type BookCommand = {
  coin: string
  bids?: Market['bids'] | undefined
  asks?: Market['asks'] | undefined
  policy?: Market['policy'] | undefined
  local_mark?: boolean | undefined
  ladder?: { [K in keyof Market['ladder']]?: Market['ladder'][K] | undefined } | undefined
}

export type TradeCommand = { address: string; coin: string; side: 'buy' | 'sell'; size: string }
export type MarginCommand = { coin: string; tiers?: MarginTier[] | undefined; mode?: Market['marginMode'] | undefined }

export type RestCommand = TradeCommand & {
  price: string
  reduce_only: boolean
  trigger?: { price: string; kind: 'tp' | 'sl'; is_market: boolean } | undefined
}

/** Places an order that rests, without a signature. Throws the venue's words if it does not rest. */
export function rest(state: State, given: RestCommand): { oid: number } {
  tick(state)
  const { asset } = marketOf(state, given.coin)
  const { trigger } = given
  const order = {
    a: asset,
    b: given.side === 'buy',
    p: given.price,
    s: given.size,
    r: given.reduce_only,
    t:
      trigger === undefined
        ? { limit: { tif: 'Alo' } }
        : { trigger: { isMarket: trigger.is_market, triggerPx: trigger.price, tpsl: trigger.kind } },
  }
  const [status] = placeOrders(state, given.address, [order], { builder: null, grouping: 'na' })
  if (typeof status !== 'object' || !('resting' in status)) throw new Error(JSON.stringify(status))
  return { oid: status.resting.oid }
}

/** Takes from the book for an account, without a signature. Throws the venue's words if nothing is filled. */
export function trade(state: State, { address: user, coin, side, size }: TradeCommand): void {
  tick(state)
  const { asset, market } = marketOf(state, coin)
  const levels = side === 'buy' ? market.asks : market.bids
  const worst = levels.at(-1)
  if (worst === undefined) throw new Error(`the book of ${coin} is empty`)
  const order = { a: asset, b: side === 'buy', p: worst.px, s: size, r: false, t: { limit: { tif: 'Ioc' } } }
  const [status] = placeOrders(state, user, [order], { builder: null, grouping: 'na' })
  if (typeof status !== 'object' || !('filled' in status)) throw new Error(JSON.stringify(status))
}

/** Numbers of margin tables that the venue does not use. */
const OWN_TABLES = 900

/** Gives a market another margin table, or another margin mode. */
export function setMargin(state: State, { coin, tiers, mode }: MarginCommand): void {
  const { market } = marketOf(state, coin)
  if (mode !== undefined) market.marginMode = mode
  if (tiers === undefined) return
  const used = state.dexes.flatMap(({ markets }) => markets.map(({ marginTableId }) => marginTableId))
  market.marginTableId = Math.max(OWN_TABLES, ...used) + 1
  market.tiers = tiers.map(({ lowerBound, maxLeverage }) => ({ lowerBound: text(num(lowerBound)), maxLeverage }))
  market.maxLeverage = tiers[0]?.maxLeverage ?? market.maxLeverage
}

/** Sets levels, ladder or policy of a book, or whether the mark follows it; resting orders that it crosses are filled. */
export function setBook(state: State, given: BookCommand): void {
  const { market } = marketOf(state, given.coin)
  market.pinned = true
  if (given.policy !== undefined) market.policy = given.policy
  if (given.ladder !== undefined) {
    Object.assign(market.ladder, given.ladder)
    refill(market)
  }
  if (given.bids !== undefined) market.bids = given.bids
  if (given.asks !== undefined) market.asks = given.asks
  if (given.local_mark === true) market.local = { last: market.mark, markedAtMs: now(state) }
  if (given.local_mark === false) delete market.local
  matchResting(state)
}
