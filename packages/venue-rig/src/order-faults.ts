import { isIsolated, leverageOf, tierLeverage } from './margin.ts'
import { type Listed, listed } from './markets.ts'
import { freeOn } from './modes.ts'
import { type Account, num, type Order, type State, text } from './state.ts'
import { walk } from './trade.ts'
import { isMet, type TriggerWire } from './triggers.ts'

export interface OrderWire {
  readonly a: number
  readonly b: boolean
  readonly p: string
  readonly s: string
  readonly r: boolean
  readonly t: { readonly limit?: { readonly tif: string }; readonly trigger?: TriggerWire }
  readonly c?: string
}

/** An error of the whole batch: nothing of it was done. */
export class BatchRefused extends Error {}

const MINIMUM_USDC = 10

/** Returns the market, or throws for a fault that needs no account: asset, price grid, size grid. */
export function staticFault(state: State, order: OrderWire, isPosition: boolean): Listed {
  const at = listed(state, { asset: order.a })
  if (at === null) throw new BatchRefused(`Asset not found: ${order.a}`)
  if (at.market.delisted) throw new BatchRefused(`Trading is halted. asset=${order.a}`)
  const decimals = (value: string) => num(value).decimalPlaces()
  for (const price of [order.p, order.t.trigger?.triggerPx ?? order.p])
    if (decimals(price) > 6 - at.market.sizeDecimals || (!num(price).isInteger() && num(price).precision() > 5))
      throw new BatchRefused('Order has invalid price.')
  if (decimals(order.s) > at.market.sizeDecimals) throw new BatchRefused('Order has invalid size.')
  if (num(order.s).isZero() && !order.r && !isPosition) throw new BatchRefused('Order has zero size.')
  return at
}

/** Faults of an order that waits for a price; whether it can be executed shows when the price comes. */
export function triggerFault(account: Account, wire: OrderWire, at: Listed, order: Order): Refused | null {
  if (isMet(order, at)) return { error: 'Invalid TP/SL price.', status: 'badTriggerPxRejected' }
  const position = num(account.dexes[at.dex.name]?.positions[at.coin]?.size ?? 0)
  if (order.trigger?.isPosition === true && (position.isZero() || position.isNegative() !== wire.b))
    return { error: 'Reduce only order would increase position.', status: 'reduceOnlyRejected' }
  if (order.reduceOnly || num(order.size).times(order.limitPx).gte(MINIMUM_USDC)) return null
  return { error: `Order must have minimum value of $${MINIMUM_USDC}.`, status: 'minTradeNtlRejected' }
}

export interface Refused {
  readonly error: string
  readonly status: string
}

/** Faults that depend on account and book, in the venue's order; caps the size of a reduce-only order. */
export function runtimeFault(
  state: State,
  account: Account,
  wire: OrderWire,
  at: Listed,
  order: Order,
): Refused | null {
  const position = num(account.dexes[at.dex.name]?.positions[at.coin]?.size ?? 0)
  const size = num(order.size)
  if (order.reduceOnly) {
    if (position.isZero() || position.isNegative() !== wire.b)
      return { error: 'Reduce only order would increase position.', status: 'reduceOnlyRejected' }
    // A size of zero closes everything; one above the position is capped.
    if (size.isZero() || size.gt(position.abs())) order.size = order.remaining = text(position.abs())
  }
  const mark = num(at.market.mark)
  const limit = num(order.limitPx)
  if (limit.lte(mark.times('0.2')) || limit.gt(mark.times(5)))
    return { error: 'Order price cannot be more than 80% away from the reference price', status: 'oracleRejected' }
  const steps = walk(at, order.side, limit, num(order.remaining))
  const first = steps[0]
  const marketable = order.tif === 'Ioc' || order.tif === 'FrontendMarket'
  if (first === undefined && marketable)
    return { error: 'Order could not immediately match against any resting orders.', status: 'iocCancelRejected' }
  if (first !== undefined && order.tif === 'Alo')
    return {
      error: `Post only order would have immediately matched, bbo was ${at.market.bids[0]?.px ?? ''}@${at.market.asks[0]?.px ?? ''}.`,
      status: 'badAloPxRejected',
    }
  const whole = order.reduceOnly && num(order.size).eq(position.abs())
  if (
    !whole &&
    num(order.size)
      .times(first?.px ?? limit)
      .lt(MINIMUM_USDC)
  )
    return { error: `Order must have minimum value of $${MINIMUM_USDC}.`, status: 'minTradeNtlRejected' }
  return lacksMargin(state, account, order, at)
    ? { error: 'Insufficient margin to place order.', status: 'perpMarginRejected' }
    : null
}

/** True if the part of an order that opens needs more margin than is free; an isolated one pays its fee from the rest. */
export function lacksMargin(state: State, account: Account, order: Order, at: Listed): boolean {
  const position = num(account.dexes[at.dex.name]?.positions[at.coin]?.size ?? 0)
  const signed = order.side === 'B' ? num(order.remaining) : num(order.remaining).neg()
  const opening = position.plus(signed).abs().minus(position.abs())
  if (!opening.gt(0)) return false
  const notional = opening.times(at.market.mark)
  const fee = isIsolated(account, at.dex, at.market) ? notional.times(at.dex.takerFee) : num(0)
  const tier = tierLeverage(at.market.tiers, position.plus(signed).abs().times(at.market.mark))
  const needed = notional.div(Math.min(leverageOf(account, at.dex, at.coin), tier)).plus(fee)
  // The order itself is listed already; what it reserves while it rests is not counted twice.
  const status = order.status
  order.status = 'checked'
  const free = freeOn(state, account, at.dex)
  order.status = status
  return needed.gt(free)
}
