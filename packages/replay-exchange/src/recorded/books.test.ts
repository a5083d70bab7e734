import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeBook, type Level } from '../book.ts'
import type { Market } from '../feed.ts'
import { usualLevels } from '../usual-liquidity.ts'
import { readLines } from './read-lines.ts'

const recordings = process.env['MARKET_REPLAY_DIR']
const BAND = 0.02
/** Recordings with complete books, and where an answer has them. Only pairs against dollars, so that notional is comparable. */
const sources = [
  { file: 'BINANCE', url: /depth\?symbol=\w+USDT/ },
  { file: 'BINANCE_US', url: /depth\?symbol=\w+USDT/ },
  { file: 'BITSTAMP', url: /order_book\/\w+usd$/ },
  { file: 'GATEIO', url: /currency_pair=\w+_USDT/ },
  { file: 'KUCOIN', url: /symbol=\w+-USDT/ },
  { file: 'COINBASE', url: null },
] as const

const level = z.tuple([z.coerce.number(), z.coerce.number()])
const restBook = z.object({ bids: z.array(level), asks: z.array(level) })
const snapshot = z.object({
  channel: z.literal('l2_data'),
  events: z.array(
    z.object({
      type: z.literal('snapshot'),
      updates: z.array(z.object({ side: z.string(), price_level: z.coerce.number(), new_quantity: z.coerce.number() })),
    }),
  ),
})

type Sides = readonly [bids: readonly Level[], asks: readonly Level[]]

function bookIn(line: string, url: RegExp | null): Sides | null {
  const record = JSON.parse(line) as { t?: string; url?: string; data?: string }
  if (url !== null) {
    if (record.t !== 'http' || !url.test(record.url ?? '')) return null
    const body = JSON.parse(record.data ?? '') as { data?: unknown }
    const { bids, asks } = restBook.parse(body.data ?? body)
    return [bids, asks]
  }
  if (!line.includes('snapshot')) return null
  const read = snapshot.safeParse(JSON.parse(record.data ?? 'null'))
  const updates = read.data?.events[0]?.updates ?? []
  const of = (bid: boolean) =>
    updates.flatMap((one): Level[] =>
      (one.side === 'bid') === bid ? [[one.price_level, one.new_quantity] as const] : [],
    )
  return updates.length === 0 ? null : [of(true), of(false)]
}

interface Measured {
  readonly sides: Sides
  readonly mid: number
  readonly spreadBps: number
  /** Of one side. */
  readonly levels: number
  readonly depth: number
}

const within = (side: readonly Level[], mid: number, share = 1) =>
  side.filter(([price]) => Math.abs(price / mid - 1) <= BAND * share)
const notional = (side: readonly Level[]) => side.reduce((sum, [price, amount]) => sum + price * amount, 0)

/** Shares of a side's depth within 1/4, 1/2 and 3/4 of the band, and in the first 100 levels. */
function profile(side: readonly Level[], mid: number): number[] {
  const all = notional(within(side, mid))
  const near = [0.25, 0.5, 0.75].map((share) => notional(within(side, mid, share)) / all)
  return [...near, notional(within(side.slice(0, 100), mid)) / all]
}

async function recordedSides(): Promise<(Measured & { side: readonly Level[]; bids: boolean })[]> {
  const books: Sides[] = []
  for (const { file, url } of sources)
    await readLines(recordings ?? '', `cryptofeed/${file}.jsonl.zst`, (line) => {
      const book = bookIn(line.toString('utf8'), url)
      if (book !== null) books.push(book)
    })
  return books.flatMap((sides) => {
    const [[bid], [ask]] = sides
    if (!bid || !ask) return []
    const mid = (bid[0] + ask[0]) / 2
    const spreadBps = ((ask[0] - bid[0]) / mid) * 10_000
    return sides.flatMap((side, index) => {
      const [levels, depth] = [within(side, mid).length, notional(within(side, mid))]
      return depth < 500 || levels < 4 ? [] : [{ sides, side, bids: index === 0, mid, spreadBps, levels, depth }]
    })
  })
}

const decimalsIn = (side: readonly Level[]) =>
  Math.max(...side.slice(0, 200).map(([price]) => String(price).split('.')[1]?.length ?? 0))

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

describe.skipIf(recordings === undefined)('synthetic books are as deep as recorded ones', () => {
  it('in their number of levels, in where depth rests, and in how much of it 100 levels hold', async () => {
    const sides = await recordedSides()
    expect(sides.length).toBeGreaterThan(20)
    const shapes = sides.map((one, key) => {
      const market: Market = {
        key,
        venue: 'binance',
        base: 'A',
        quote: 'USDT',
        token: { id: 'a', ticker: 'A', name: 'A', koreanName: 'A', chain: null, address: null },
        priceDecimals: decimalsIn(one.side),
        amountDecimals: 8,
        listedAt: 0,
      }
      const given = { mid: one.mid, spreadBps: one.spreadBps, depthQuote: one.depth, levels: usualLevels(one.depth) }
      const made = makeBook(market, { ...given, at: 0, limit: 5_000, crossed: false })
      const side = one.bids ? made.bids : made.asks
      return {
        recorded: { ...one, profile: profile(one.side, one.mid) },
        made: { levels: within(side, one.mid).length, profile: profile(side, one.mid) },
      }
    })
    // Half of the books have a number of levels within a factor of 1.7; as many are above as below.
    const ratios = shapes.map(({ recorded, made }) => Math.log(made.levels / recorded.levels))
    expect(median(ratios.map(Math.abs))).toBeLessThan(Math.log(1.7))
    expect(Math.abs(median(ratios))).toBeLessThan(Math.log(1.5))
    for (const place of [0, 1, 2]) {
      const [there, here] = [median(shapes.map((one) => one.recorded.profile[place] ?? 0)), median(shapes.map((one) => one.made.profile[place] ?? 0))] // prettier-ignore
      expect(Math.abs(there - here)).toBeLessThan(0.15)
    }
    const deepest = shapes.filter(({ recorded }) => recorded.depth > 5e6)
    expect(deepest.length).toBeGreaterThan(3)
    for (const { recorded, made } of deepest) {
      expect(recorded.profile[3]).toBeLessThan(0.15)
      expect(made.profile[3]).toBeLessThan(0.3)
    }
    for (const { made } of shapes.filter(({ recorded }) => recorded.depth < 1e5)) expect(made.profile[3]).toBeCloseTo(1)
  })
})
