import type { Feed, Market } from '../feed.ts'
import { readLines } from './read-lines.ts'
import { recordedFeed } from './recorded-feed.ts'
import { seriesOf, type Bar } from './series.ts'

const HALF_HOUR = 30 * 60_000

/**
 * LUNA/USDT at Binance, 2022-04-15 to 2022-06-05: Terra falls from 82 to 0.00005 and ends on 2022-05-13; from 2022-05-31
 * the same symbol is another token. Recorded in bars of 30 minutes, divided into minutes.
 */
export async function openLuna(replayDir: string): Promise<Feed> {
  const bars: Bar[] = []
  await readLines(replayDir, 'luna-202205/LUNAUSDT-30m.csv.zst', (line) => {
    const [, open, high, low, close, volume, at] = line.toString().split(',').map(Number)
    if (at === undefined || Number.isNaN(at)) return
    const [o, h, l, c] = [open ?? 0, high ?? 0, low ?? 0, close ?? 0]
    bars.push({ at, open: o, high: h, low: l, close: c, volume: volume ?? 0, trades: null })
  })
  const gap = bars.findIndex((bar, index) => index > 0 && bar.at - (bars[index - 1]?.at ?? 0) > HALF_HOUR)
  const [terra, luna2] = [bars.slice(0, gap), bars.slice(gap)]
  const series = [
    seriesOf(marketOf(0, 'terra-luna', 'Terra', '테라', terra[0]?.at ?? 0), terra, 30),
    seriesOf(marketOf(1, 'terra-luna-2', 'Terra 2.0', '테라 2.0', luna2[0]?.at ?? 0), luna2, 30),
  ]
  return recordedFeed({
    dataset: 'luna',
    venues: ['binance'],
    startsAt: (terra[0]?.at ?? 0) + HALF_HOUR,
    endsAt: (luna2.at(-1)?.at ?? 0) + HALF_HOUR,
    series,
    quoteUsd: () => 1,
  })
}

function marketOf(key: number, id: string, name: string, koreanName: string, listedAt: number): Market {
  return {
    key,
    venue: 'binance',
    base: 'LUNA',
    quote: 'USDT',
    token: { id, ticker: 'LUNA', name, koreanName, chain: null, address: null },
    priceDecimals: 5,
    amountDecimals: 2,
    listedAt,
  }
}
