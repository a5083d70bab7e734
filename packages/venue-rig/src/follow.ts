import { type Market, now, num, type State, text } from './state.ts'
import { refill } from './world.ts'

/** Where prices come from: functions of a market's name and the time in milliseconds; null leaves the market alone. */
export interface PriceSource {
  readonly priceUsd: (market: string, at: number) => number | null
  /** What a long pays to a short in the hour of `at`, as a share of the position's worth. */
  readonly fundingHour: (market: string, at: number) => number | null
}

/** The venue publishes new oracle prices about every three seconds. */
const PUBLISHED_EVERY_MS = 3_000
const DAY_MS = 86_400_000
/** Significant digits of a price. */
const DIGITS = 5

/** Returns the latest time at which prices were published. */
export const publishedAt = (state: State): number => Math.floor(now(state) / PUBLISHED_EVERY_MS) * PUBLISHED_EVERY_MS

/** Gives every market that follows the source its mark, oracle price, funding and book of a time. */
export function followSource(state: State, source: PriceSource, at: number): void {
  for (const { markets } of state.dexes)
    for (const market of markets) {
      const price = priceThen(market, source, at)
      if (price === null) continue
      market.mark = market.oracle = price
      market.previousDay = priceThen(market, source, at - DAY_MS) ?? price
      market.funding = fundingThen(market, source, at)
      if (market.policy === 'refill') refill(market)
    }
}

const follows = ({ pinned, delisted }: Market): boolean => pinned !== true && !delisted

/** Returns the price of a market at a time as the venue prints it; null for one without a source. */
export function priceThen(market: Market, source: PriceSource | undefined, at: number): string | null {
  const usd = follows(market) ? (source?.priceUsd(market.name, at) ?? null) : null
  return usd === null ? null : text(num(usd).toSignificantDigits(DIGITS), 6 - market.sizeDecimals)
}

/** Returns the funding rate of the hour of `at`; the one of now for a market without a source. */
export function fundingThen(market: Market, source: PriceSource | undefined, at: number): string {
  const rate = follows(market) ? (source?.fundingHour(market.name, at) ?? null) : null
  return rate === null ? market.funding : text(rate, 10)
}
