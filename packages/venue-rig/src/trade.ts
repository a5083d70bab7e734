import { createHash } from 'node:crypto'
import { ratesOf, countTrade } from './fees.ts'
import { isIsolated, leverageOf } from './margin.ts'
import type { Listed } from './markets.ts'
import {
  type Account,
  accountOf,
  dexAccount,
  type Fill,
  type Num,
  num,
  now,
  type Order,
  type State,
  text,
} from './state.ts'

/** A hash that names a fact of the ledger; the same fact never has two. */
export const hashOf = (...parts: readonly (string | number)[]): string =>
  `0x${createHash('sha256').update(parts.join('|')).digest('hex')}`

interface Trade {
  readonly user: string
  readonly order: Order
  readonly at: Listed
  readonly px: Num
  readonly size: Num
  readonly crossed: boolean
  readonly liquidation?: boolean
  /** True for what others take over in a liquidation; it costs no fee. */
  readonly deleverages?: boolean
}

/** Books one execution against the house: cash, position, fees, fill. All sums of the venue stay as they are. */
export function execute(state: State, trade: Trade): void {
  const { user, order, at, px, size, crossed } = trade
  const account = accountOf(state, user)
  const own = dexAccount(account, at.dex.name)
  const signed = order.side === 'B' ? size : size.neg()
  const notional = size.times(px)
  const before = (own.positions[at.coin] ??= { size: '0', entry: '0', fundingAllTime: '0', fundingSinceOpen: '0' })
  const startPosition = before.size
  const closed = closedSize(num(before.size), signed)
  const closedPnl = closed.times(num(px).minus(before.entry)).times(num(before.size).isNegative() ? -1 : 1)
  const rates = ratesOf(state, account, at.dex)
  const fee = trade.deleverages === true ? num(0) : notional.times(crossed ? rates.cross : rates.add)
  const builderFee = notional.times(order.builder?.fee ?? 0).div(100_000)
  const charged = num(text(fee.plus(builderFee), 6))

  moveCash(state, account, { at, signed, px, charged, liquidation: trade.liquidation === true })
  before.entry = entryAfter(num(before.size), num(before.entry), signed, px)
  before.size = text(num(before.size).plus(signed))
  if (num(before.size).isZero() || num(before.size).isNegative() !== num(startPosition).isNegative())
    before.fundingSinceOpen = '0'
  state.house.positions[at.coin] = text(num(state.house.positions[at.coin] ?? 0).minus(signed))
  countTrade(state, account, notional, crossed)
  at.market.volume = text(num(at.market.volume).plus(notional))
  if (at.market.local !== undefined) at.market.local.last = text(px)
  order.remaining = text(num(order.remaining).minus(size))
  const tid = state.nextTid++
  const fill: Fill = {
    coin: at.coin,
    px: text(px),
    sz: text(size),
    side: order.side,
    time: now(state),
    startPosition,
    dir: directionOf(num(startPosition), signed),
    closedPnl: text(closedPnl, 6),
    hash: hashOf('fill', tid),
    oid: order.oid,
    crossed,
    fee: text(charged, 6),
    tid,
    feeToken: 'USDC',
    twapId: null,
    cloid: order.cloid,
    ...(builderFee.isZero() ? {} : { builderFee: text(builderFee, 6) }),
    ...(trade.liquidation === true ? { liquidation: { markPx: at.market.mark, method: 'market' as const } } : {}),
  }
  account.fills.unshift(fill)
}

interface CashMove {
  readonly at: Listed
  readonly signed: Num
  readonly px: Num
  readonly charged: Num
  readonly liquidation: boolean
}

/**
 * Moves the cash of an execution between account and house. An isolated position has cash of its own: what opens it
 * brings its initial margin along, what closes it takes its share of the value back, and a loss beyond its value in a
 * liquidation is the house's.
 */
function moveCash(state: State, account: Account, { at, signed, px, charged, liquidation }: CashMove): void {
  const own = dexAccount(account, at.dex.name)
  const cost = signed.times(px)
  state.house.cash = text(num(state.house.cash).plus(cost).plus(charged), 20)
  const position = own.positions[at.coin]
  const size = num(position?.size ?? 0)
  if (
    position === undefined ||
    (size.isZero() ? !isIsolated(account, at.dex, at.market) : position.rawUsd === undefined)
  ) {
    own.raw = text(num(own.raw).minus(cost).minus(charged), 20)
    return
  }
  const before = num(position.rawUsd ?? 0)
  const closing = closedSize(size, signed)
  const released = size.isZero() ? num(0) : before.plus(size.times(px)).times(closing).div(size.abs())
  const opening = signed.abs().minus(closing)
  const margin = opening.times(px).div(leverageOf(account, at.dex, at.coin))
  const fromPosition = liquidation ? charged : num(0)
  let after = num(text(before.minus(cost).minus(released).plus(margin), 20))
  // What the cash of the position did not take belongs to the cash of the dex, so that no digit is lost.
  let rest = num(own.raw).plus(before).minus(cost).minus(charged).minus(after)
  if (size.plus(signed).isZero()) {
    rest = rest.plus(after)
    after = num(0)
    delete position.rawUsd
  } else position.rawUsd = after.toFixed()
  own.raw = text(rest, 20)
  const loss = released.minus(fromPosition)
  if (!liquidation || !loss.isNegative()) return
  own.raw = text(num(own.raw).minus(loss), 20)
  state.house.cash = text(num(state.house.cash).plus(loss), 20)
}

function closedSize(position: Num, signed: Num): Num {
  if (position.isZero() || position.isNegative() === signed.isNegative()) return num(0)
  return least(position.abs(), signed.abs())
}
const least = (a: Num, b: Num): Num => (a.lt(b) ? a : b)

/** The entry price averages when a position grows, stays when it shrinks, and starts again when it turns. */
function entryAfter(position: Num, entry: Num, signed: Num, px: Num): string {
  const after = position.plus(signed)
  if (after.isZero()) return '0'
  if (position.isZero() || after.isNegative() !== position.isNegative()) return text(px)
  if (position.isNegative() !== signed.isNegative()) return text(entry)
  return text(position.abs().times(entry).plus(signed.abs().times(px)).div(after.abs()))
}

function directionOf(position: Num, signed: Num): string {
  const after = position.plus(signed)
  const side = (size: Num) => (size.isNegative() ? 'Short' : 'Long')
  if (position.isZero() || position.isNegative() === signed.isNegative()) return `Open ${side(after)}`
  if (after.isZero() || after.isNegative() === position.isNegative()) return `Close ${side(position)}`
  return `${side(position)} > ${side(after)}`
}

/** Size and prices at which the book answers an order now, best first; stops at the limit price. */
export function walk(at: Listed, side: 'A' | 'B', limit: Num, size: Num): { px: Num; size: Num }[] {
  const steps: { px: Num; size: Num }[] = []
  let left = size
  for (const level of side === 'B' ? at.market.asks : at.market.bids) {
    const px = num(level.px)
    if (!left.gt(0) || (side === 'B' ? px.gt(limit) : px.lt(limit))) break
    const take = least(left, num(level.sz))
    if (take.gt(0)) steps.push({ px, size: take })
    left = left.minus(take)
  }
  return steps
}

/** Fee of an execution that takes from the book. */
export const takerFeeOf = (state: State, account: Account, at: Listed, notional: Num): Num =>
  num(text(notional.times(ratesOf(state, account, at.dex).cross), 6))

/** Removes from the book what was taken from it. */
export function takeFrom(at: Listed, side: 'A' | 'B', steps: readonly { px: Num; size: Num }[]): void {
  const levels = side === 'B' ? at.market.asks : at.market.bids
  for (const step of steps) {
    const level = levels.find((one) => num(one.px).eq(step.px))
    if (level !== undefined) level.sz = text(num(level.sz).minus(step.size))
  }
  const left = levels.filter((level) => num(level.sz).gt(0))
  if (side === 'B') at.market.asks = left
  else at.market.bids = left
}

export const openOrders = (account: Account): Order[] => account.orders.filter((order) => order.status === 'open')
