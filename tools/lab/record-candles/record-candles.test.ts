import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startReplayExchange, type ReplayExchange } from '@svc/replay-exchange'
import { afterAll, afterEach, expect, it } from 'vitest'
import { recordCandles } from './record-candles.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-candles-'))
const running: ReplayExchange[] = []
const start = async (options: Parameters<typeof startReplayExchange>[0]) => {
  const exchange = await startReplayExchange({ speed: 0, limits: false, ...options })
  running.push(exchange)
  return exchange
}
afterEach(async () => {
  for (const exchange of running.splice(0)) await exchange.stop()
})
afterAll(() => rmSync(folder, { recursive: true }))

it('a recording replays the minutes that were recorded', async () => {
  const startAt = Date.UTC(2026, 0, 5, 12, 0, 30)
  const live = await start({ tokens: 60, venues: ['binance'], startAt })
  live.faults.set('binance', { status: 503, every: 25 })
  const options = ['--base', live.venueUrl('binance'), '--quote', 'USDT', '--minutes', '90']
  const main = join(import.meta.dirname, 'main.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [main, join(folder, 'own.jsonl.zst'), ...options])
  const pairs = Number(/^(\d+) pairs are in /m.exec(stdout)?.[1])
  expect(pairs).toBeGreaterThan(25)
  live.faults.clear()

  const replay = await start({ dataset: 'packed', replayDir: folder, recording: 'own.jsonl.zst' })
  const [from, to] = [startAt - 60 * 60_000, startAt - 40 * 60_000]
  const candles = async (exchange: ReplayExchange, symbol: string) => {
    const path = `/api/v3/klines?interval=1m&symbol=${symbol}&startTime=${from}&endTime=${to}`
    const rows = (await (await fetch(exchange.venueUrl('binance') + path)).json()) as unknown[][]
    return rows.map((row) => row.slice(0, 9).map(Number))
  }
  replay.clock.set(startAt)
  const listed = replay.feed.listings('binance', startAt)
  expect(listed).toHaveLength(pairs)
  for (const { market } of listed) {
    const symbol = market.base + market.quote
    const [original, copy] = [await candles(live, symbol), await candles(replay, symbol)]
    expect(copy).toHaveLength(20)
    for (const [index, row] of copy.entries()) {
      const other = original[index] ?? []
      expect(row.slice(0, 5)).toEqual(other.slice(0, 5))
      expect(row[8]).toBe(other[8])
      expect(Math.abs((row[7] ?? 0) - (other[7] ?? 0))).toBeLessThanOrEqual(1e-5 * (other[7] ?? 0))
    }
  }
})

it('stops with the reason when the venue goes on refusing', async () => {
  const live = await start({ tokens: 30, venues: ['binance'] })
  live.faults.set('binance', { limited: { status: 418, retryAfterSeconds: 600 } })
  await expect(
    recordCandles({ baseUrl: live.venueUrl('binance'), quote: null, minutes: 5, file: join(folder, 'none') }),
  ).rejects.toThrow(/refused with 418/)
})
