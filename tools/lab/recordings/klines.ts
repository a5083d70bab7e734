import { join } from 'node:path'
import { z } from 'zod'
import { zstdLines } from './zstd-lines.ts'

const minuteMs = 60_000

const line = z.object({
  s: z.string(),
  t0: z.int(),
  n: z.int(),
  /** Decimal places of the integer prices. */
  pd: z.int(),
  c0: z.number(),
  /** Differences of successive closes. */
  dc: z.array(z.number()),
  q: z.array(z.number()),
  tr: z.array(z.number()),
  tq: z.array(z.number()),
})

/** One market's consecutive one-minute candles; minute `i` starts at `startMs + i · 60,000`. */
export interface Klines {
  readonly symbol: string
  readonly startMs: number
  readonly close: Float64Array
  readonly quoteVolume: readonly number[]
  readonly trades: readonly number[]
  readonly takerBuyQuoteVolume: readonly number[]
}

/** Reads the Binance spot candles of the FTX day: all 1,450 pairs or the 342 against USDT. */
export function readKlines(replayDir: string, pairs: 'all' | 'usdt'): Klines[] {
  return zstdLines(join(replayDir, `binance-1m-20221109/klines_${pairs}.jsonl.zst`)).map((text) => {
    const row = line.parse(JSON.parse(text))
    const close = new Float64Array(row.n)
    let price = row.c0
    for (let minute = 0; minute < row.n; minute += 1) {
      if (minute > 0) price += row.dc[minute - 1] ?? 0
      close[minute] = price / 10 ** row.pd
    }
    return {
      symbol: row.s,
      startMs: row.t0,
      close,
      quoteVolume: row.q,
      trades: row.tr,
      takerBuyQuoteVolume: row.tq,
    }
  })
}

/** Returns the index of the minute that starts at `ms`; below 0, or at least `close.length`, if the recording lacks it. */
export const minuteIndex = ({ startMs }: Klines, ms: number): number => Math.round((ms - startMs) / minuteMs)

/** Returns true for a leveraged token. Such tokens are a venue's products, not assets that are listed and delisted. This recording has 16. */
export const isLeveraged = (symbol: string): boolean => /(UP|DOWN)USDT$/.test(symbol)
