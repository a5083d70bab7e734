import { join } from 'node:path'
import { zstdLines } from './zstd-lines.ts'

/** Reads the closing prices of one-minute candles of BTC/USDC by the start of the minute in Unix time. */
export function readDepeg(replayDir: string): { binanceUs: Map<number, number>; kraken: Map<number, number> } {
  const rows = (file: string) => zstdLines(join(replayDir, 'depeg-202303', file)).map((line) => line.split(','))
  const binanceUs = rows('binanceus-BTCUSDC-1m.csv.zst').slice(1)
  const kraken = rows('kraken-BTCUSDC-1m.csv.zst')
  return {
    binanceUs: new Map(
      binanceUs.map(([time = '', , , , close]) => [Date.parse(time.replace(' ', 'T')), Number(close)]),
    ),
    kraken: new Map(kraken.map(([seconds, , , , close]) => [Number(seconds) * 1000, Number(close)])),
  }
}
