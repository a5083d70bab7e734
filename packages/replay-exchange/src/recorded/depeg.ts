import { MINUTE, type Feed, type Market, type Token } from '../feed.ts'
import { readLines } from './read-lines.ts'
import { recordedFeed } from './recorded-feed.ts'
import { seriesOf, type Bar, type Series } from './series.ts'

const bitcoin: Token = { id: 'BTC', ticker: 'BTC', name: 'Bitcoin', koreanName: '비트코인', chain: null, address: null }
const sources = [
  { file: 'binanceus-BTCUSDC-1m', venue: 'binance', quote: 'USDC' },
  { file: 'binanceus-BTCUSDT-1m', venue: 'binance', quote: 'USDT' },
  { file: 'binanceus-BTCUSD-1m', venue: 'binance', quote: 'USD' },
  { file: 'kraken-BTCUSDC-1m', venue: 'kucoin', quote: 'USDC' },
] as const

/**
 * The days in which USDC lost its peg, 2023-03-09 to 2023-03-14: bitcoin at Binance.US, served in Binance's interface, and
 * at Kraken, served in KuCoin's.
 */
export async function openDepeg(replayDir: string): Promise<Feed> {
  const series: Series[] = []
  for (const { file, venue, quote } of sources) {
    const bars: Bar[] = []
    await readLines(replayDir, `depeg-202303/${file}.csv.zst`, (line) => {
      const [time = '', open, high, low, close, volume, count] = line.toString().split(',')
      // Kraken's rows carry seconds and a count of fills, Binance.US's a date and none.
      const at = count === undefined ? Date.parse(time.replace(' ', 'T')) : Number(time) * 1_000
      if (Number.isNaN(at)) return
      bars.push({
        at,
        open: Number(open),
        high: Number(high),
        low: Number(low),
        close: Number(close),
        volume: Number(volume),
        trades: count === undefined ? null : Number(count),
      })
    })
    series.push(seriesOf(marketOf(series.length, venue, quote), bars, 1))
  }
  const first = Math.max(...series.map((one) => one.firstMinute))
  const end = Math.min(...series.map((one) => one.firstMinute + one.minutes))
  return recordedFeed({
    dataset: 'depeg',
    venues: ['binance', 'kucoin'],
    startsAt: (first + 1) * MINUTE,
    endsAt: end * MINUTE,
    series,
    quoteUsd: () => 1,
  })
}

function marketOf(key: number, venue: string, quote: string): Market {
  return { key, venue, base: 'BTC', quote, token: bitcoin, priceDecimals: 2, amountDecimals: 6, listedAt: 0 }
}
