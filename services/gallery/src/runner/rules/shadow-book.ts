import { signedUnits } from '@svc/contracts/common/usdc'
import { usdcText } from '@svc/limits'
import { exact, roundSize, usdcNear, usdcUp, type Exact } from '@svc/hyperliquid/rounding'
import { walkBook, type Book } from '@svc/venue/rules/walk-book'
import { OPEN_MIN, type DecidedSignal } from '#follows/rules/decide-signal.ts'

/** Money that a shadow book begins with, in base units. */
export const SHADOW_START = 1_000_000_000n

/** A shadow book: cash in base units and signed sizes by market. */
export interface ShadowState {
  readonly cash: bigint
  readonly positions: Readonly<Record<string, string>>
}

/** What the venue shows of a market. Decimal text. */
export interface ShadowMarket {
  readonly mark: string
  readonly takerFee: string
  readonly sizeDecimals: number
}

/** An order of a shadow book as the venue's book would have filled it. */
export interface ShadowFill {
  readonly side: 'buy' | 'sell'
  readonly size: string
  readonly price: string
  readonly fee: bigint
}

const units = (usdc: Exact): bigint => signedUnits(usdcNear(usdc))

/** Returns the worth of a shadow book at the marks of its markets, in base units; null if one has no mark. */
export function shadowEquity({ cash, positions }: ShadowState, marks: ReadonlyMap<string, string>): bigint | null {
  let worth = exact(0)
  for (const [market, size] of Object.entries(positions)) {
    const mark = marks.get(market)
    if (mark === undefined) return null
    worth = worth.plus(exact(size).times(mark))
  }
  return cash + units(worth)
}

/**
 * Returns what a shadow book trades for a signal: its position becomes weight × equity, filled from the book within the
 * signal's limit price. Null if there is nothing to trade, or nothing is offered.
 */
export function shadowFill(
  signal: DecidedSignal,
  { equity, held }: { readonly equity: bigint; readonly held: string },
  { mark, takerFee, sizeDecimals }: ShadowMarket,
  book: Book,
): ShadowFill | null {
  const target = targetSize(signal, equity, mark)
  const delta = target.minus(held)
  const side = delta.isNegative() ? 'sell' : 'buy'
  const size = roundSize(delta.abs(), sizeDecimals)
  const isSmall = delta.abs().times(mark).times(1_000_000).lt(String(OPEN_MIN))
  if (exact(size).isZero() || (isSmall && !target.isZero())) return null
  const opens = exact(held).isZero() || exact(held).isNegative() === delta.isNegative()
  const limit = opens && signal.limitPrice !== null ? { limitPrice: signal.limitPrice } : {}
  const walk = walkBook(book, { side, quantity: { size }, takerFee, sizeDecimals, ...limit })
  if (walk.averagePrice === null) return null
  return { side, size: walk.filledSize, price: walk.averagePrice, fee: signedUnits(usdcUp(walk.feeUsdc)) }
}

function targetSize({ side, weightBps }: DecidedSignal, equity: bigint, mark: string): Exact {
  if (side === 'flat' || equity <= 0n) return exact(0)
  const size = exact(usdcText(equity)).times(weightBps).div(10_000).div(mark)
  return side === 'long' ? size : size.negated()
}

/** Returns a shadow book after a fill. */
export function afterFill({ cash, positions }: ShadowState, market: string, fill: ShadowFill): ShadowState {
  const signed = exact(fill.size).times(fill.side === 'buy' ? 1 : -1)
  const size = signed.plus(positions[market] ?? 0)
  const { [market]: _, ...others } = positions
  return {
    cash: cash - units(signed.times(fill.price)) - fill.fee,
    positions: size.isZero() ? others : { ...others, [market]: size.toFixed() },
  }
}

/** Returns what positions receive as funding over whole hours at the present rates, in base units; below zero: pay. */
export function fundingOf(
  { positions }: Pick<ShadowState, 'positions'>,
  rates: ReadonlyMap<string, { readonly oracle: string; readonly hourly: string }>,
  hours: number,
): bigint {
  let paid = exact(0)
  for (const [market, size] of Object.entries(positions)) {
    const rate = rates.get(market)
    if (rate !== undefined) paid = paid.plus(exact(size).times(rate.oracle).times(rate.hourly).times(hours))
  }
  return -units(paid)
}
