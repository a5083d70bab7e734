import {
  type Account,
  accountOf,
  dexAccount,
  FIRST_REQUESTS,
  type Listed,
  listed,
  type Num,
  num,
  now,
  type Order,
  type State,
  text,
} from './state.ts'
import { leverageOf, marginOf } from './margin.ts'
import { execute, openOrders, takeFrom, walk } from './trade.ts'
import { refill } from './world.ts'

export interface OrderWire {
  readonly a: number
  readonly b: boolean
  readonly p: string
  readonly s: string
  readonly r: boolean
  readonly t: { readonly limit?: { readonly tif: string }; readonly trigger?: unknown }
  readonly c?: string
}

export type Status =
  | { filled: { oid: number; totalSz: string; avgPx: string; cloid?: string } }
  | { resting: { oid: number; cloid?: string } }
  | { error: string }
  | 'success'

/** An error of the whole batch: nothing of it was done. */
export class BatchRefused extends Error {}

const MINIMUM_USDC = 10

/** Places the orders of one action; a static fault of any refuses all of them with one error. */
export function placeOrders(
  state: State,
  user: string,
  orders: readonly OrderWire[],
  builder: { readonly b: string; readonly f: number } | null,
): Status[] {
  const account = accountOf(state, user)
  const checked = orders.map((order) => ({ order, at: staticFault(state, order) }))
  if (builder !== null && (account.builders[builder.b] ?? 0) < builder.f)
    throw new BatchRefused('Builder fee has not been approved.')
  const allowance = num(account.traded).plus(FIRST_REQUESTS)
  account.requests += orders.length
  if (allowance.lt(account.requests))
    throw new BatchRefused(
      `Too many cumulative requests sent (${account.requests} > ${text(allowance, 0)}) for cumulative volume traded $${text(account.traded, 2)}. Place taker orders to free up 1 request per USDC traded.`,
    )
  return checked.map(({ order, at }) => place(state, user, order, at, builder))
}

/** Returns the market, or throws for a fault that needs no account: asset, price grid, size grid. */
function staticFault(state: State, order: OrderWire): Listed {
  const at = listed(state, { asset: order.a })
  if (at === null) throw new BatchRefused(`Asset not found: ${order.a}`)
  if (at.market.delisted) throw new BatchRefused(`Trading is halted. asset=${order.a}`)
  if (order.t.limit === undefined) throw new BatchRefused('Trigger orders are not offered here.')
  const decimals = (value: string) => num(value).decimalPlaces()
  const price = num(order.p)
  if (decimals(order.p) > 6 - at.market.sizeDecimals || (!price.isInteger() && price.precision() > 5))
    throw new BatchRefused('Order has invalid price.')
  if (decimals(order.s) > at.market.sizeDecimals) throw new BatchRefused('Order has invalid size.')
  if (num(order.s).isZero() && !order.r) throw new BatchRefused('Order has zero size.')
  return at
}

function place(
  state: State,
  user: string,
  wire: OrderWire,
  at: Listed,
  builder: { readonly b: string; readonly f: number } | null,
): Status {
  const account = accountOf(state, user)
  const order = newOrder(state, wire, at)
  const refused = runtimeFault(account, wire, at, order)
  if (refused !== null) {
    order.status = refused.status
    account.orders.unshift(order)
    return { error: `${refused.error} asset=${wire.a}` }
  }
  account.orders.unshift(order)
  const steps = order.tif === 'Alo' ? [] : walk(at, order.side, num(order.limitPx), num(order.remaining))
  for (const step of steps)
    execute(state, {
      user,
      order,
      at,
      px: step.px,
      size: step.size,
      crossed: true,
      builder: builder === null ? null : { address: builder.b, fee: builder.f },
    })
  takeFrom(at, order.side, steps)
  if (at.market.policy === 'refill') refill(at.market)
  return ended(state, order, at, steps)
}

function newOrder(state: State, wire: OrderWire, at: Listed): Order {
  return {
    oid: state.nextOid++,
    cloid: wire.c ?? null,
    coin: at.coin,
    side: wire.b ? 'B' : 'A',
    limitPx: text(wire.p),
    size: text(wire.s),
    remaining: text(wire.s),
    reduceOnly: wire.r,
    tif: wire.t.limit?.tif ?? '',
    timestamp: now(state),
    status: 'open',
    statusTimestamp: now(state),
  }
}

/** Faults that depend on account and book, in the venue's order; caps the size of a reduce-only order. */
function runtimeFault(
  account: Account,
  wire: OrderWire,
  at: Listed,
  order: Order,
): { error: string; status: string } | null {
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
    return { error: 'Post only order would have immediately matched.', status: 'badAloPxRejected' }
  const whole = order.reduceOnly && num(order.size).eq(position.abs())
  if (
    !whole &&
    num(order.size)
      .times(first?.px ?? limit)
      .lt(MINIMUM_USDC)
  )
    return { error: `Order must have minimum value of $${MINIMUM_USDC}.`, status: 'minTradeNtlRejected' }
  return lacksMargin(account, at, order, position)
    ? { error: 'Insufficient margin to place order.', status: 'perpMarginRejected' }
    : null
}

function lacksMargin(account: Account, at: Listed, order: Order, position: Num): boolean {
  const signed = order.side === 'B' ? num(order.size) : num(order.size).neg()
  const opening = position.plus(signed).abs().minus(position.abs())
  if (!opening.gt(0)) return false
  const margin = marginOf(account, at.dex)
  const needed = opening.times(at.market.mark).div(leverageOf(account, at.dex, at.coin))
  return needed.gt(margin.accountValue.minus(margin.used))
}

function ended(state: State, order: Order, at: Listed, steps: readonly { px: Num; size: Num }[]): Status {
  const done = num(order.size).minus(order.remaining)
  const cloid = order.cloid === null ? {} : { cloid: order.cloid }
  const close = (status: string) => {
    order.status = status
    order.statusTimestamp = now(state)
  }
  const rests = order.tif === 'Gtc' || order.tif === 'Alo'
  if (num(order.remaining).isZero()) close('filled')
  else if (!rests) close('canceled')
  if (done.isZero()) return { resting: { oid: order.oid, ...cloid } }
  const cost = steps.reduce((sum, step) => sum.plus(step.px.times(step.size)), num(0))
  const decimals = Math.max(0, 6 - at.market.sizeDecimals)
  return { filled: { oid: order.oid, totalSz: text(done), avgPx: text(cost.div(done), decimals), ...cloid } }
}

/** Cancels open orders of an account; one result for each. */
export function cancelOrders(
  state: State,
  user: string,
  cancels: readonly ({ readonly a: number; readonly o: number } | { readonly asset: number; readonly cloid: string })[],
): Status[] {
  const account = accountOf(state, user)
  return cancels.map((cancel) => {
    const asset = 'a' in cancel ? cancel.a : cancel.asset
    const coin = listed(state, { asset })?.coin
    const order = openOrders(account).find(
      (one) => one.coin === coin && ('o' in cancel ? one.oid === cancel.o : one.cloid === cancel.cloid),
    )
    if (order === undefined)
      return { error: `Order was never placed, already canceled, or filled. asset=${asset}` } satisfies Status
    order.status = 'canceled'
    order.statusTimestamp = now(state)
    return 'success'
  })
}

/** Fills resting orders that the book now crosses, at their own price. */
export function matchResting(state: State): void {
  for (const [user, account] of Object.entries(state.accounts))
    for (const order of openOrders(account)) {
      const at = listed(state, { coin: order.coin })
      if (at === null) continue
      const steps = walk(at, order.side, num(order.limitPx), num(order.remaining))
      const position = num(dexAccount(account, at.dex.name).positions[at.coin]?.size ?? 0)
      if (order.reduceOnly && (position.isZero() || position.isNegative() !== (order.side === 'B'))) {
        order.status = 'reduceOnlyCanceled'
        continue
      }
      for (const step of steps)
        execute(state, { user, order, at, px: num(order.limitPx), size: step.size, crossed: false, builder: null })
      takeFrom(at, order.side, steps)
      if (steps.length === 0 || !num(order.remaining).isZero()) continue
      order.status = 'filled'
      order.statusTimestamp = now(state)
    }
}

/** Sets the leverage of a market of an account. */
export function setLeverage(state: State, user: string, asset: number, leverage: number): string | null {
  const at = listed(state, { asset })
  if (at === null) return `Asset not found: ${asset}`
  if (leverage < 1 || leverage > at.market.maxLeverage) return 'Invalid leverage value'
  dexAccount(accountOf(state, user), at.dex.name).leverage[at.coin] = leverage
  return null
}
