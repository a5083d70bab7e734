import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { opened } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { setMark, startBookRig, type BookRig } from './book-rig.ts'
import { addUp, rowsOf } from './naive-book.ts'
import { doStep, fundAll } from './script.ts'

const replayDir = process.env['MARKET_REPLAY_DIR'] ?? ''
/** Recorded minutes between two steps; each step marks all books. */
const STEP = process.env['TEST_LONG'] === '1' ? 1 : 10
const MINUTES = 1_000
const COINS = ['BTC', 'ETH', 'SOL'] as const

const row = z.object({ s: z.string(), c0: z.int(), dc: z.array(z.int()), pd: z.int() })

/** Reads the closing prices of each minute of a day by coin; the recording has them as whole steps from the first. */
function recordedPrices(): ReadonlyMap<string, readonly string[]> {
  const file = join(replayDir, 'binance-1m-20221109/klines_usdt.jsonl.zst')
  const lines = zstdDecompressSync(readFileSync(file)).toString('utf8').split('\n')
  const prices = new Map<string, readonly string[]>()
  for (const coin of COINS) {
    const line = lines.find((one) => one.startsWith(`{"s":"${coin}USDT"`)) ?? ''
    const { c0, dc, pd } = row.parse(JSON.parse(line))
    let at = c0
    prices.set(
      coin,
      [c0, ...dc.map((by) => (at += by))].map((steps) => String(Number((steps / 10 ** pd).toPrecision(5)))),
    )
  }
  return prices
}

/** Trades through the day: a careful book that follows the last hour, and one that holds SOL with all it has. */
async function live(rig: BookRig, prices: ReadonlyMap<string, readonly string[]>) {
  const [careful, bold] = [await rig.book(1, '10000'), await rig.book(2, '1000')]
  const owners = { orderId: '', ownerOf: (book: number) => book + 1 }
  for (let minute = 0; minute < MINUTES; minute += STEP) {
    for (const [coin, path] of prices) setMark(rig.venue, coin, path[minute] ?? '1')
    const coin = COINS[(minute / STEP) % COINS.length] ?? 'BTC'
    const [now, before] = [prices.get(coin)?.[minute] ?? '1', prices.get(coin)?.[Math.max(0, minute - 60)] ?? '1']
    const side = Number(now) > Number(before) ? 'buy' : 'sell'
    const order = { kind: 'fill', afterMs: 30_000, coin, side, amountUsdc: '900', reduceOnly: false } as const
    await doStep(rig, { ...order, book: 0 }, { ...owners, orderId: `careful-${minute}` })
    const all = { ...order, coin: 'SOL', side: 'buy', amountUsdc: '9000' } as const
    if (minute === 0) await doStep(rig, { ...all, book: 1 }, { ...owners, orderId: 'bold' })
    rig.advance(STEP * 60_000 - (minute === 0 ? 60_000 : 30_000))
    await rig.run('markBooks')
    await fundAll(rig)
  }
  return { careful: await rowsOf(rig.pool, careful.book), bold: await rowsOf(rig.pool, bold.book) }
}

describe.skipIf(replayDir === '')('the day on which FTX fell', () => {
  const rigs = [opened(startBookRig), opened(startBookRig)] as const
  test('twice through the recorded prices gives the same books, row for row, and liquidates who held SOL at ten times', async () => {
    const prices = recordedPrices()
    const [first, second] = await Promise.all(rigs.map((rig) => live(rig, prices)))
    expect(second).toEqual(first)
    const { careful, bold } = first ?? {}
    expect(bold?.fills.map(({ kind, coin }) => [kind, coin])).toEqual([
      ['order', 'SOL'],
      ['liquidation', 'SOL'],
    ])
    expect(bold?.book.max_drawdown_bps).toBeGreaterThan(7_000)
    expect(careful?.fills.length).toBeGreaterThan(20)
    expect(careful?.funding.length).toBeGreaterThan(10)
    if (careful !== undefined) expect(careful.book.cash_usdc).toBe(addUp(careful).cash.toFixed())
  })
})
