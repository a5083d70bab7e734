import { join } from 'node:path'
import type { BookSample, Capture, Fill } from '@svc/market-data/captures/rules/microburst'
import { z } from 'zod'
import { zstdLines } from './zstd-lines.ts'

const level = z.tuple([z.string(), z.string()])
const frame = z.object({
  topic: z.string(),
  type: z.string(),
  ts: z.number(),
  data: z.unknown(),
})
const trades = z.array(z.object({ T: z.number(), S: z.enum(['Buy', 'Sell']), v: z.string(), p: z.string() }))
const book = z.object({ b: z.array(level), a: z.array(level) })
const event = z.object({ t: z.string(), conn: z.string().optional(), data: z.string().optional() })

interface Market {
  readonly fills: Fill[]
  readonly books: BookSample[]
  readonly bids: Map<number, number>
  readonly asks: Map<number, number>
}

/** Reads the Bybit recording as captures by market: `<connection> <symbol>`, fills with exchange times, top-20 books. */
export function readBybitCaptures(replayDir: string): Map<string, Capture> {
  const markets = new Map<string, Market>()
  for (const line of zstdLines(join(replayDir, 'cryptofeed/BYBIT.jsonl.zst'))) {
    const { t, conn, data } = event.parse(JSON.parse(line))
    if (t !== 'recv' || data === undefined) continue
    const parsed = frame.safeParse(JSON.parse(data))
    if (!parsed.success) continue
    const [kind, symbol] = [parsed.data.topic.split('.')[0], parsed.data.topic.split('.').at(-1)]
    const key = `${conn} ${symbol}`
    const market = markets.get(key) ?? {
      fills: [],
      books: [],
      bids: new Map<number, number>(),
      asks: new Map<number, number>(),
    }
    if (kind === 'publicTrade') addTrades(market, parsed.data.data)
    else if (kind === 'orderbook') addBook(market, parsed.data)
    else continue
    markets.set(key, market)
  }
  return new Map([...markets].map(([key, market]) => [key, captureOf(market)]))
}

function addTrades(market: Market, data: unknown): void {
  for (const { T, S, v, p } of trades.parse(data))
    market.fills.push({
      timeMs: T,
      side: S === 'Buy' ? 'buy' : 'sell',
      price: Number(p),
      notionalUsd: Number(p) * Number(v),
    })
}

function addBook(market: Market, { type, ts, data }: z.output<typeof frame>): void {
  const { b, a } = book.parse(data)
  if (type === 'snapshot') {
    market.bids.clear()
    market.asks.clear()
  }
  for (const [side, levels] of [
    [market.bids, b],
    [market.asks, a],
  ] as const)
    for (const [price, size] of levels) {
      if (Number(size) === 0) side.delete(Number(price))
      else side.set(Number(price), Number(size))
    }
  const bids = [...market.bids].toSorted(([x], [y]) => y - x)
  const asks = [...market.asks].toSorted(([x], [y]) => x - y)
  const [bid, ask] = [bids[0]?.[0], asks[0]?.[0]]
  if (bid === undefined || ask === undefined) return
  const mid = (bid + ask) / 2
  const usd = (levels: readonly (readonly [number, number])[]) =>
    levels.reduce((sum, [price, size]) => sum + price * size, 0)
  market.books.push({ timeMs: ts, mid, bidDepthUsd: usd(bids.slice(0, 20)), askDepthUsd: usd(asks.slice(0, 20)) })
}

function captureOf({ fills, books }: Market): Capture {
  const times = [...fills, ...books].map(({ timeMs }) => timeMs)
  return { startMs: Math.min(...times), endMs: Math.max(...times), fills, books }
}
