import { createHash } from 'node:crypto'
import {
  type Account,
  accountOf,
  dexAccount,
  type Fill,
  type Listed,
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
  /** Tenths of a basis point. */
  readonly builder: { readonly address: string; readonly fee: number } | null
  readonly liquidation?: boolean
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
  const fee = notional.times(crossed ? at.dex.takerFee : at.dex.makerFee)
  const builderFee = trade.builder === null ? num(0) : notional.times(trade.builder.fee).div(100_000)
  const charged = num(text(fee.plus(builderFee), 6))

  before.entry = entryAfter(num(before.size), num(before.entry), signed, px)
  before.size = text(num(before.size).plus(signed))
  if (num(before.size).isZero() || num(before.size).isNegative() !== num(startPosition).isNegative())
    before.fundingSinceOpen = '0'
  own.raw = text(num(own.raw).minus(signed.times(px)).minus(charged), 20)
  state.house.cash = text(num(state.house.cash).plus(signed.times(px)).plus(charged), 20)
  state.house.positions[at.coin] = text(num(state.house.positions[at.coin] ?? 0).minus(signed))
  account.traded = text(num(account.traded).plus(notional))
  at.market.volume = text(num(at.market.volume).plus(notional))
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
