import { uniform } from './hash.ts'
import { MINUTE, type Candle, type Market } from './feed.ts'

/** A fill as the venue reports it. */
export interface Trade {
  readonly id: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly price: number
  readonly amount: number
  /** Side of the taker. */
  readonly side: 'buy' | 'sell'
}

/** Most fills of a minute; a minute with more trades has larger fills. */
export const FILLS_MAX = 2_000
const BURST_GAP_MS = 8

/**
 * Derives the fills of a minute from its candle: they begin at the open, touch both extremes, end at the close, and their
 * amounts add up to the volume.
 */
export interface MinutePath {
  readonly count: number
  readonly trade: (index: number) => Trade
  /** Returns the number of fills until `ms` after the begin of the minute. */
  readonly countAt: (ms: number) => number
}

export function minutePath(candle: Candle, minute: number, { key: seed, priceDecimals }: Market): MinutePath {
  const count = Math.min(candle.trades, FILLS_MAX)
  const start = minute * MINUTE
  const upFirst = uniform(seed, minute, 7) < 0.5
  const [first, second] = upFirst ? [candle.high, candle.low] : [candle.low, candle.high]
  const turn1 = Math.round((count - 1) / 3)
  const turn2 = Math.round((2 * (count - 1)) / 3)
  const buyShare = candle.quoteVolume > 0 ? candle.takerBuyQuote / candle.quoteVolume : 0.5
  const offset = uniform(seed, minute, 8)
  const inBurst = (index: number) =>
    candle.burst !== null && index >= candle.burst.from && index < candle.burst.from + candle.burst.count

  const msOf = (index: number) => {
    const burst = candle.burst
    if (burst !== null && inBurst(index))
      return Math.floor((burst.from / count) * MINUTE) + (index - burst.from) * BURST_GAP_MS
    return Math.floor(((index + uniform(seed, minute, index, 9)) / count) * MINUTE)
  }
  const priceOf = (index: number) => {
    if (index === 0) return count === 1 ? candle.close : candle.open
    if (index === count - 1) return candle.close
    if (index <= turn1) return between(candle.open, first, index / turn1)
    if (index <= turn2) return between(first, second, (index - turn1) / (turn2 - turn1))
    return between(second, candle.close, (index - turn2) / (count - 1 - turn2))
  }
  const weightOf = (index: number) => {
    const mirror = count - 1 - index
    if (index === mirror) return 1
    // A fill and its mirror share 2, so that the amounts add up to the volume exactly.
    const low = Math.min(index, mirror)
    const share = 0.1 + 1.8 * uniform(seed, minute, low, 10)
    return index === low ? share : 2 - share
  }
  const sideOf = (index: number): 'buy' | 'sell' => {
    if (candle.burst !== null && inBurst(index)) return buyShare >= 0.5 ? 'buy' : 'sell'
    if (count === 1) return buyShare >= 0.5 ? 'buy' : 'sell'
    return (offset + index * 0.618_033_988_749_895) % 1 < buyShare ? 'buy' : 'sell'
  }
  return {
    count,
    trade: (index) => ({
      id: minute * 10_000 + index,
      at: start + msOf(index),
      price: Number(priceOf(index).toFixed(priceDecimals)),
      amount: (candle.volume / count) * weightOf(index),
      side: sideOf(index),
    }),
    countAt: (ms) => {
      if (ms >= MINUTE) return count
      // The index corresponds to the share of the minute, except for one fill or the length of a burst.
      let index = Math.min(count, Math.floor((ms / MINUTE) * count) + 1)
      if (candle.burst !== null && index >= candle.burst.from) {
        index = Math.max(index, Math.min(count, candle.burst.from + candle.burst.count))
      }
      while (index > 0 && msOf(index - 1) > ms) index -= 1
      return index
    },
  }
}

function between(from: number, to: number, share: number): number {
  return from + (to - from) * share
}
