import { isIsolated, leverageOf } from './margin.ts'
import { type Listed, listed } from './markets.ts'
import { freeOn } from './modes.ts'
import { type Account, accountOf, FIRST_REQUESTS, type Num, num, now, type Order, type State, text } from './state.ts'
import { execute, takeFrom, walk } from './trade.ts'
import { isMet, type TriggerWire, triggerOf } from './triggers.ts'
import { refill } from './world.ts'

export interface OrderWire {
  readonly a: number
  readonly b: boolean
  readonly p: string
  readonly s: string
  readonly r: boolean
  readonly t: { readonly limit?: { readonly tif: string }; readonly trigger?: TriggerWire }
  readonly c?: string
}

export type Status =
  | { filled: { oid: number; totalSz: string; avgPx: string; cloid?: string } }
  | { resting: { oid: number; cloid?: string } }
  | { error: string }
  | 'success'
  | 'waitingForFill'
  | 'waitingForTrigger'

/** An error of the whole batch: nothing of it was done. */
export class BatchRefused extends Error {}

const MINIMUM_USDC = 10

/** What the orders of one action have in common. */
export interface Together {
  readonly builder: { readonly b: string; readonly f: number } | null
  /** `normalTpsl`: the others wait for the first; `positionTpsl`: they close the position whatever its size is. */
  readonly grouping: unknown
}

/** Places the orders of one action; a static fault of any refuses all of them with one error. */
export function placeOrders(
  state: State,
  user: string,
  orders: readonly OrderWire[],
  { builder, grouping }: Together,
): Status[] {
  const account = accountOf(state, user)
  const checked = orders.map((order) => ({ order, at: staticFault(state, order, grouping === 'positionTpsl') }))
  if (builder !== null && (account.builders[builder.b] ?? 0) < builder.f)
    throw new BatchRefused('Builder fee has not been approved.')
  const allowance = num(account.traded).plus(FIRST_REQUESTS)
  account.requests += orders.length
  if (allowance.lt(account.requests))
    throw new BatchRefused(
      `Too many cumulative requests sent (${account.requests} > ${text(allowance, 0)}) for cumulative volume traded $${text(account.traded, 2)}. Place taker orders to free up 1 request per USDC traded.`,
    )
  const placed: Placed[] = []
  for (const [index, { order, at }] of checked.entries()) {
    const parent = grouping === 'normalTpsl' && index > 0 ? (placed[0] ?? null) : null
    placed.push(place(state, user, order, at, { builder, isPosition: grouping === 'positionTpsl', parent }))
  }
  return placed.map(({ status }) => status)
}

interface Placed {
  readonly status: Status
  readonly order: Order
}

/** Returns the market, or throws for a fault that needs no account: asset, price grid, size grid. */
function staticFault(state: State, order: OrderWire, isPosition: boolean): Listed {
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

function place(
  state: State,
  user: string,
  wire: OrderWire,
  at: Listed,
  given: { builder: Together['builder']; isPosition: boolean; parent: Placed | null },
): Placed {
  const account = accountOf(state, user)
  const order = newOrder(state, wire, at, given)
  account.orders.unshift(order)
  const parent = given.parent?.order ?? null
  const refused =
    parent !== null && parent.status.endsWith('Rejected')
      ? { error: 'Parent order was rejected.', status: 'rejected' }
      : order.trigger === undefined
        ? runtimeFault(state, account, wire, at, order)
        : triggerFault(account, wire, at, order)
  if (refused !== null) {
    order.status = refused.status
    return { order, status: { error: `${refused.error} asset=${wire.a}` } }
  }
  if (order.trigger !== undefined) return { order, status: waiting(order, parent) }
  const steps = order.tif === 'Alo' ? [] : walk(at, order.side, num(order.limitPx), num(order.remaining))
  for (const step of steps) execute(state, { user, order, at, px: step.px, size: step.size, crossed: true })
  takeFrom(at, order.side, steps)
  if (at.market.policy === 'refill') refill(at.market)
  return { order, status: ended(state, order, at, steps) }
}

/** A trigger order waits for its parent, if that is not filled yet, and then for its price. */
function waiting(order: Order, parent: Order | null): Status {
  if (order.trigger === undefined) throw new Error('an order that waits has a trigger')
  if (parent !== null) {
    order.trigger.parent = parent.oid
    return parent.status === 'filled' ? 'waitingForTrigger' : 'waitingForFill'
  }
  if (order.trigger.isPosition) return 'waitingForTrigger'
  return { resting: { oid: order.oid, ...(order.cloid === null ? {} : { cloid: order.cloid }) } }
}

function newOrder(
  state: State,
  wire: OrderWire,
  at: Listed,
  { builder, isPosition }: { builder: Together['builder']; isPosition: boolean },
): Order {
  return {
    oid: state.nextOid++,
    cloid: wire.c ?? null,
    coin: at.coin,
    side: wire.b ? 'B' : 'A',
    limitPx: text(wire.p),
    size: text(wire.s),
    remaining: text(wire.s),
    reduceOnly: wire.r || isPosition,
    tif: wire.t.limit?.tif ?? '',
    timestamp: now(state),
    status: 'open',
    statusTimestamp: now(state),
    ...(wire.t.trigger === undefined ? {} : { trigger: triggerOf(wire.t.trigger, isPosition) }),
    ...(builder === null ? {} : { builder: { address: builder.b, fee: builder.f } }),
  }
}

/** Faults of an order that waits for a price; whether it can be executed shows when the price comes. */
function triggerFault(account: Account, wire: OrderWire, at: Listed, order: Order): Refused | null {
  if (isMet(order, at)) return { error: 'Invalid TP/SL price.', status: 'badTriggerPxRejected' }
  const position = num(account.dexes[at.dex.name]?.positions[at.coin]?.size ?? 0)
  if (order.trigger?.isPosition === true && (position.isZero() || position.isNegative() !== wire.b))
    return { error: 'Reduce only order would increase position.', status: 'reduceOnlyRejected' }
  if (order.reduceOnly || num(order.size).times(order.limitPx).gte(MINIMUM_USDC)) return null
  return { error: `Order must have minimum value of $${MINIMUM_USDC}.`, status: 'minTradeNtlRejected' }
}

interface Refused {
  readonly error: string
  readonly status: string
}

/** Faults that depend on account and book, in the venue's order; caps the size of a reduce-only order. */
function runtimeFault(state: State, account: Account, wire: OrderWire, at: Listed, order: Order): Refused | null {
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
  const needed = notional.div(leverageOf(account, at.dex, at.coin)).plus(fee)
  // The order itself is listed already; what it reserves while it rests is not counted twice.
  const status = order.status
  order.status = 'checked'
  const free = freeOn(state, account, at.dex)
  order.status = status
  return needed.gt(free)
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
