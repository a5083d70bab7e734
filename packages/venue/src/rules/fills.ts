import { exact, type Side, usdcNear, usdcUp } from '@svc/hyperliquid/rounding'

/** One execution of an order, as the venue lists it; decimal text, time in Unix milliseconds. */
export interface Fill {
  readonly tid: number
  readonly px: string
  readonly sz: string
  readonly fee: string
  readonly time: number
}

/** What an order executed in total. */
export interface Executed {
  readonly size: string
  /** Null if nothing was executed. */
  readonly averagePrice: string | null
  readonly notionalUsdc: string
  readonly feeUsdc: string
}

/** Adds the executions of one order up; each trade id counts once. */
export function sumFills(fills: readonly Fill[]): Executed {
  const once = [...new Map(fills.map((fill) => [fill.tid, fill])).values()]
  const sum = (of: (fill: Fill) => string) => once.reduce((total, fill) => total.plus(of(fill)), exact(0))
  const size = sum(({ sz }) => sz)
  const notional = sum(({ px, sz }) => exact(px).times(sz).toFixed())
  return {
    size: size.toFixed(),
    averagePrice: size.isZero() ? null : notional.div(size).toSignificantDigits(12).toFixed(),
    notionalUsdc: usdcNear(notional),
    feeUsdc: usdcNear(sum(({ fee }) => fee)),
  }
}

/** Returns what fills cost against the mark price at sending: Σ max(0, s × (fill − mark)) × size; gains are not netted. */
export function badFillOf(fills: readonly Fill[], side: Side, mark: string): string {
  const sign = side === 'buy' ? 1 : -1
  const lost = fills.reduce((total, { px, sz }) => {
    const against = exact(px).minus(mark).times(sign)
    return against.gt(0) ? total.plus(against.times(sz)) : total
  }, exact(0))
  return usdcUp(lost)
}
