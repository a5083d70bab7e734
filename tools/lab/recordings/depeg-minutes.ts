import { join } from 'node:path'
import { zstdLines } from './zstd-lines.ts'

const MINUTE_MS = 60_000

/** A minute of a pair: its last price, and whether it traded. */
export interface TradedMinute {
  readonly price: number
  readonly traded: boolean
}

/** Minutes of one pair by their start in Unix time. */
export type Minutes = ReadonlyMap<number, TradedMinute>

/** The four pairs of the depeg recording: bitcoin at Binance.US in three quotes and at Kraken in USDC, 2023-03-09 to 14. */
export interface DepegDays {
  readonly usBtcUsd: Minutes
  readonly usBtcUsdc: Minutes
  readonly usBtcUsdt: Minutes
  readonly krakenBtcUsdc: Minutes
}

/** Reads the recording. In a minute without a trade the price is the last one, as a ticker answers it. */
export function readDepegDays(replayDir: string): DepegDays {
  const rows = (file: string) => zstdLines(join(replayDir, 'depeg-202303', file)).map((line) => line.split(','))
  const us = (file: string) =>
    filled(
      rows(file)
        .slice(1)
        .map(([time = '', , , , close, volume]) => [Date.parse(time.replace(' ', 'T')), Number(close), Number(volume)]),
    )
  return {
    usBtcUsd: us('binanceus-BTCUSD-1m.csv.zst'),
    usBtcUsdc: us('binanceus-BTCUSDC-1m.csv.zst'),
    usBtcUsdt: us('binanceus-BTCUSDT-1m.csv.zst'),
    krakenBtcUsdc: filled(
      rows('kraken-BTCUSDC-1m.csv.zst').map(([seconds, , , , close, volume]) => [
        Number(seconds) * 1000,
        Number(close),
        Number(volume),
      ]),
    ),
  }
}

function filled(rows: readonly (readonly [atMs: number, close: number, volume: number] | number[])[]): Minutes {
  const minutes = new Map<number, TradedMinute>()
  let last: { atMs: number; price: number } | null = null
  for (const [atMs = NaN, price = NaN, volume = NaN] of rows) {
    for (let missing = (last?.atMs ?? atMs) + MINUTE_MS; last !== null && missing < atMs; missing += MINUTE_MS)
      minutes.set(missing, { price: last.price, traded: false })
    minutes.set(atMs, { price, traded: volume > 0 })
    last = { atMs, price }
  }
  return minutes
}
