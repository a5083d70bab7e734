import { MINUTE, type Feed, type Market } from '../feed.ts'
import { packedRow } from './packed-row.ts'
import { readLines } from './read-lines.ts'
import { recordedFeed } from './recorded-feed.ts'
import { emptySeries, type Series } from './series.ts'

/** Quote currencies of the recording, the longer before those they end with. */
const quotes =
  'USDT BUSD TUSD USDC USDP USDS BIDR IDRT BTC BNB ETH TRY EUR AUD BRL GBP RUB UAH NGN DAI VAI PAX TRX XRP DOGE DOT ZAR PLN RON'.split(
    ' ',
  )
const dollars = new Set(['USDT', 'BUSD', 'TUSD', 'USDC', 'USDP', 'USDS', 'DAI', 'VAI', 'PAX'])

/**
 * A file of packed minute candles of Binance, such as the day of the FTX collapse, 2022-11-08 22:39 to 2022-11-09 15:11 UTC
 * (three of its pairs had ended ten days before and are listed so). The feed covers the span that all pairs share.
 */
export async function openPacked(replayDir: string, file: string, dataset: string): Promise<Feed> {
  const series: Series[] = []
  await readLines(replayDir, file, (line) => series.push(decode(line, series.length)))
  const latest = Math.max(...series.map((one) => one.firstMinute))
  const alive = series.filter((one) => one.firstMinute + one.minutes > latest)
  const endsAt = Math.min(...alive.map((one) => one.firstMinute + one.minutes)) * MINUTE
  return recordedFeed({
    dataset,
    venues: ['binance'],
    startsAt: (latest + 1) * MINUTE,
    endsAt,
    series,
    quoteUsd: quoteRates(series),
  })
}

function decode(line: Buffer, key: number): Series {
  const packed = packedRow(line)
  const count = packed.number('n')
  const firstClose = packed.number('c0')
  const market = marketOf(packed.text('s'), packed.number('pd'), firstClose, key)
  const series = emptySeries(market, Math.floor(packed.number('t0') / MINUTE), count)
  packed.numbers('dc', series.close.subarray(1))
  packed.numbers('o', series.open)
  packed.numbers('h', series.high)
  packed.numbers('l', series.low)
  packed.numbers('v', series.volume)
  packed.numbers('q', series.quoteVolume)
  packed.numbers('tr', series.trades)
  packed.numbers('tq', series.takerBuyQuote)
  let close = firstClose
  for (let index = 0; index < count; index += 1) {
    const open = close + (series.open[index] ?? 0)
    close += index === 0 ? 0 : (series.close[index] ?? 0)
    series.open[index] = open
    series.close[index] = close
    series.high[index] = Math.max(open, close) + (series.high[index] ?? 0)
    series.low[index] = Math.min(open, close) - (series.low[index] ?? 0)
  }
  return series
}

function marketOf(s: string, pd: number, firstClose: number, key: number): Market {
  const quote = quotes.find((one) => s.endsWith(one) && s.length > one.length)
  if (quote === undefined) throw new SyntaxError(`the pair ${s} has an unknown quote currency`)
  const base = s.slice(0, -quote.length)
  return {
    key,
    venue: 'binance',
    base,
    quote,
    token: { id: base, ticker: base, name: base, koreanName: base, chain: null, address: null },
    priceDecimals: pd,
    amountDecimals: Math.min(8, Math.max(0, Math.ceil(Math.log10(firstClose / 10 ** pd)) + 3)),
    listedAt: 0,
  }
}

function quoteRates(series: readonly Series[]): (quote: string) => number {
  const first = new Map(
    series.map(({ market, close }) => [market.base + market.quote, (close[0] ?? 0) / 10 ** market.priceDecimals]),
  )
  return (quote) => {
    if (dollars.has(quote)) return 1
    const direct = first.get(`${quote}USDT`) ?? first.get(`${quote}BUSD`)
    const inverse = first.get(`USDT${quote}`) ?? first.get(`BUSD${quote}`)
    return direct ?? (inverse === undefined ? 1 : 1 / inverse)
  }
}
