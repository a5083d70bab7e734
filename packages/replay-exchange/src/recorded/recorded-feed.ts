import { MINUTE, type DayStats, type Feed, type FeedEvent, type Liquidity, type Listing, type Market } from '../feed.ts'
import { uniform } from '../hash.ts'
import { usualLiquidity } from '../usual-liquidity.ts'
import { candleAt, type Series } from './series.ts'

const DAY_MINUTES = 1_440

export interface Recording {
  readonly dataset: string
  readonly venues: readonly string[]
  /** Where all series have data. */
  readonly startsAt: number
  readonly endsAt: number
  /** Place in the list is the market's key. */
  readonly series: readonly Series[]
  /** USD value of a quote currency, constant over the recording. */
  readonly quoteUsd: (quote: string) => number
}

/**
 * A recording of minute candles as a feed. It has no books: they are synthesised around the recorded price with a spread
 * and depth that stay the same, so that they never tell of a crisis. A day that reaches back before the recording is
 * extrapolated from the minutes there are, unless the market was listed within it.
 */
export function recordedFeed({ dataset, venues, startsAt, endsAt, series, quoteUsd }: Recording): Feed {
  const shapes = series.map((one) => shapeOf(one, quoteUsd(one.market.quote)))
  const of = (market: Market): Series => {
    const own = series[market.key]
    if (!own) throw new RangeError('the market is of another feed')
    return own
  }
  const successorOf = (market: Market) =>
    series.find(
      (one) =>
        one.market.venue === market.venue &&
        one.market.base === market.base &&
        one.market.quote === market.quote &&
        one.market.listedAt > market.listedAt,
    )?.market ?? null
  const successors = series.map(({ market }) => successorOf(market))
  const endOf = (one: Series) => (one.firstMinute + one.minutes) * MINUTE
  return {
    dataset,
    books: 'synthesised',
    venues,
    startsAt,
    endsAt,
    tokens: (at) => [...new Set(series.flatMap(({ market }) => (market.listedAt <= at ? [market.token] : [])))],
    listings: (venue, at) =>
      series.flatMap((one): Listing[] => {
        const { market } = one
        const successor = successors[market.key]
        if (market.venue !== venue || market.listedAt > at || (successor && successor.listedAt <= at)) return []
        const ended = at >= endOf(one) && endOf(one) < endsAt
        return [{ market, status: ended ? 'ended' : 'trading', warning: 'none', endsAt: null }]
      }),
    candle: (market, minute) => candleAt(of(market), minute),
    day: (market, minute) => dayOf(of(market), minute, market.listedAt <= startsAt),
    liquidity: (market) => shapes[market.key] ?? { spreadBps: 0, depthQuote: 0, levels: 1 },
    events: (from, to, limit) =>
      series
        .flatMap((one): FeedEvent[] => {
          const { venue, base, quote, listedAt, token } = one.market
          const event = { venue, symbol: `${base}/${quote}`, tokenId: token.id }
          return [
            ...(listedAt > startsAt ? [{ ...event, at: listedAt, kind: 'listed' as const }] : []),
            ...(endOf(one) < endsAt ? [{ ...event, at: endOf(one), kind: 'ended' as const }] : []),
          ]
        })
        .filter(({ at }) => at >= from && at < to)
        .toSorted((a, b) => a.at - b.at)
        .slice(0, limit),
  }
}

function shapeOf(series: Series, quoteUsd: number): Liquidity {
  let quoteVolume = 0
  for (const volume of series.quoteVolume) quoteVolume += volume
  const dayUsd = ((quoteVolume * DAY_MINUTES) / series.minutes) * quoteUsd
  const usual = usualLiquidity(dayUsd, uniform(series.market.key, 1) * 2 - 1)
  return { ...usual, depthQuote: usual.depthQuote / quoteUsd }
}

function dayOf(series: Series, minute: number, extrapolate: boolean): DayStats | null {
  const end = Math.min(minute - series.firstMinute, series.minutes)
  const begin = Math.max(0, minute - series.firstMinute - DAY_MINUTES)
  if (minute <= series.firstMinute) return null
  const scale = 10 ** series.market.priceDecimals
  let high = 0
  let low = Number.POSITIVE_INFINITY
  let volume = 0
  let quoteVolume = 0
  let trades = 0
  for (let index = begin; index < end; index += 1) {
    high = Math.max(high, series.high[index] ?? 0)
    low = Math.min(low, series.low[index] ?? 0)
    volume += series.volume[index] ?? 0
    quoteVolume += series.quoteVolume[index] ?? 0
    trades += series.trades[index] ?? 0
  }
  const last = (series.close[series.minutes - 1] ?? 0) / scale
  if (end <= begin) return { open: last, high: last, low: last, volume: 0, quoteVolume: 0, trades: 0 }
  const factor = extrapolate && begin === 0 ? DAY_MINUTES / Math.max(end, 1) : 1
  return {
    open: (series.open[begin] ?? 0) / scale,
    high: high / scale,
    low: low / scale,
    volume: volume * factor,
    quoteVolume: quoteVolume * factor,
    trades: Math.round(trades * factor),
  }
}
