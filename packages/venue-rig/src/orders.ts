import type { Listed } from './markets.ts'
import { BatchRefused, type OrderWire, runtimeFault, staticFault, triggerFault } from './order-faults.ts'
import { accountOf, FIRST_REQUESTS, type Num, num, now, type Order, type State, text } from './state.ts'
import { execute, takeFrom, walk } from './trade.ts'
import { triggerOf } from './triggers.ts'
import { refill } from './world.ts'

export type Status =
  | { filled: { oid: number; totalSz: string; avgPx: string; cloid?: string } }
  | { resting: { oid: number; cloid?: string } }
  | { error: string }
  | 'success'
  | 'waitingForFill'
  | 'waitingForTrigger'

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
