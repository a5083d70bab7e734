import { signedUnits } from '@svc/contracts/common/usdc'
import { exact, usdcNear, usdcUp, type Exact } from '@svc/hyperliquid/rounding'
import { sizeWithin } from '@svc/limits'
import { decideSignal, type DecidedSignal, type FollowOrder } from './decide-signal.ts'
import { quantityOf, referenceOf } from './order-quantity.ts'

/** Limits of the mandate under which signals are replayed. Amounts are base units. */
export interface ReplayTerms {
  readonly budget: bigint
  readonly perTxCap: bigint
  readonly dailyCap: bigint
  /** Null: nothing waits for the owner, who approves nothing in a replay. */
  readonly approvalAbove: bigint | null
  /** 0: none. */
  readonly stopLine: bigint
  /** Of the gain, to the agent. */
  readonly feeBps: number
  readonly markets: readonly string[]
  /** How much worse than the price of its signal an order is filled, in basis points. */
  readonly gapBps: string
  /** The worst price of an order lies so far from the price of its signal, as a fraction; an amount is sized by it as hl-leg does. */
  readonly band: string
  takerFee(market: string): string
}

/** A signal with the price at which it was recorded. */
export interface ReplayedSignal extends DecidedSignal {
  readonly price: string
}

/** What a replay comes to. Amounts are base units. */
export interface ReplayTotals {
  readonly followed: number
  readonly skipped: number
  readonly orders: number
  readonly traded: bigint
  readonly venueFees: bigint
  readonly gapCost: bigint
  readonly performanceFee: bigint
  readonly end: bigint
  readonly changeBps: number
  readonly maxDrawdownBps: number
  /** Whether the stop line ended it. */
  readonly stopped: boolean
}

const DAY_MS = 86_400_000
const units = (usdc: Exact): bigint => signedUnits(usdcNear(usdc))
const min = (a: bigint, b: bigint) => (a < b ? a : b)

/**
 * Replays signals in their order with the budget of a mandate, by the decisions that the house runner makes. Each order is
 * filled at the price of its signal made worse by the gap; positions are valued at the newest price that a signal recorded.
 */
export function replaySignals(signals: readonly ReplayedSignal[], terms: ReplayTerms): ReplayTotals {
  const book = newBook(terms)
  let [followed, skipped, stopped] = [0, 0, false]
  const series = [terms.budget]
  for (const signal of signals) {
    book.priced(signal.market, signal.price)
    if (terms.stopLine > 0n && book.equity() <= terms.stopLine) {
      book.closeAll()
      stopped = true
      break
    }
    const scene = book.sceneOf(signal)
    const decision = decideSignal(signal, scene, signal.price, signal.recordedAt)
    if (decision.kind === 'orders') for (const order of decision.orders) book.fill(signal, order, scene.openMax)
    if (decision.kind === 'orders' || decision.verdict === 'followed') followed += 1
    else skipped += 1
    series.push(book.equity())
  }
  const gross = book.equity()
  const gain = gross > terms.budget ? gross - terms.budget : 0n
  const performanceFee = (gain * BigInt(terms.feeBps)) / 10_000n
  const end = gross - performanceFee
  const changeBps = bpsOf(end - terms.budget, terms.budget)
  // What the stop line closes and the fees at the end belong to the series as well.
  const maxDrawdownBps = drawdownOf([...series, end])
  return { followed, skipped, ...book.sums(), performanceFee, end, changeBps, maxDrawdownBps, stopped }
}

/** Returns the greatest loss from a peak to a later point, in basis points of the peak, rounded down. */
function drawdownOf(series: readonly bigint[]): number {
  let [peak, drawdown] = [0n, 0]
  for (const equity of series) {
    if (equity > peak) peak = equity
    drawdown = Math.max(drawdown, bpsOf(peak - equity, peak))
  }
  return drawdown
}

/** Returns a share of an amount in basis points, rounded down. */
function bpsOf(part: bigint, whole: bigint): number {
  if (whole === 0n) return 0
  const bps = Number((part * 10_000n) / whole)
  return part < 0n && (part * 10_000n) % whole !== 0n ? bps - 1 : bps
}

/** Decimals of the finest lot of the venue: a signal does not say that of its market. */
const LOT_DIGITS = 8

/** Cash, positions and the use of the day during a replay. */
function newBook(terms: ReplayTerms) {
  let cash = terms.budget
  let day = { at: Number.NEGATIVE_INFINITY, used: 0n }
  let sums = { orders: 0, traded: 0n, venueFees: 0n, gapCost: 0n }
  const prices = new Map<string, string>()
  const sizes = new Map<string, Exact>()
  const equity = () =>
    [...sizes].reduce((sum, [market, size]) => sum + units(size.times(prices.get(market) ?? 0)), cash)
  const usedOn = (at: number): bigint => (day.at === Math.floor(at / DAY_MS) ? day.used : 0n)
  const trade = (market: string, signed: Exact) => {
    const mark = exact(prices.get(market) ?? 0)
    const worse = mark.times(terms.gapBps).div(10_000)
    const price = signed.isNegative() ? mark.minus(worse) : mark.plus(worse)
    const notional = signed.times(price)
    const fee = signedUnits(usdcUp(notional.abs().times(terms.takerFee(market))))
    cash -= units(notional) + fee
    const size = signed.plus(sizes.get(market) ?? 0)
    if (size.isZero()) sizes.delete(market)
    else sizes.set(market, size)
    sums = {
      orders: sums.orders + 1,
      traded: sums.traded + units(notional.abs()),
      venueFees: sums.venueFees + fee,
      gapCost: sums.gapCost + units(signed.abs().times(worse)),
    }
    return units(notional.abs())
  }
  return {
    equity,
    sums: () => sums,
    priced: (market: string, price: string) => void prices.set(market, price),
    sceneOf: ({ market, recordedAt }: ReplayedSignal) => {
      const left = terms.dailyCap - usedOn(recordedAt)
      const open = min(min(terms.perTxCap, left > 0n ? left : 0n), terms.approvalAbove ?? terms.perTxCap)
      const held = sizes.get(market)
      return {
        active: true,
        hiredAt: Number.NEGATIVE_INFINITY,
        legBound: true,
        equity: equity(),
        position: held === undefined ? null : { size: held.toFixed(), price: prices.get(market) ?? '0' },
        marketAllowed: terms.markets.includes(market),
        openMax: open,
        mayClose: true,
      }
    },
    fill: ({ market, recordedAt }: ReplayedSignal, order: FollowOrder, openMax: bigint) => {
      const { side, reduceOnly } = order
      const mark = prices.get(market) ?? '1'
      const { size, amountUsdc } = quantityOf(order, { mark, band: terms.band, sizeDecimals: null, openMax })
      const wanted = exact(size ?? sizeWithin(amountUsdc, referenceOf(side, mark, terms.band), LOT_DIGITS))
      const held = exact(sizes.get(market) ?? 0).abs()
      const traded = reduceOnly && wanted.gt(held) ? held : wanted
      const notional = trade(market, side === 'buy' ? traded : traded.negated())
      if (!reduceOnly) day = { at: Math.floor(recordedAt / DAY_MS), used: usedOn(recordedAt) + notional }
    },
    closeAll: () => {
      for (const [market, size] of sizes) trade(market, size.negated())
    },
  }
}
