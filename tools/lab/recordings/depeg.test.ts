import { matchBooks } from '@svc/market-data/arbitrage/rules/arbitrage'
import type { VenueBook } from '@svc/market-data/arbitrage/rules/lot-ladder'
import { describe, expect, test } from 'vitest'
import { readDepeg } from './depeg.ts'

const replayDir = process.env['MARKET_REPLAY_DIR'] ?? ''

/** Returns a book of a cent around the price of a candle: what remains is the difference between the venues. */
const bookAt = (exchange: string, atMs: number, close: number, takerFee: number): VenueBook => ({
  exchange,
  atMs,
  levelsAsked: 100,
  bids: [[Number((close - 0.01).toFixed(2)), 1]],
  asks: [[Number((close + 0.01).toFixed(2)), 1]],
  takerFee,
  amountStep: 0.0001,
  costMin: 10,
})

describe.skipIf(replayDir === '')('arbitrage in the USDC depeg of March 2023', () => {
  test('BTC/USDC at Binance.US and Kraken shows the episode of 11 March, peak 06:48, and little before it', () => {
    const { binanceUs, kraken } = readDepeg(replayDir)
    const common = [...binanceUs.keys()].filter((atMs) => kraken.has(atMs))
    const seen = common.map((atMs) => {
      const books = (fee: number) => [
        bookAt('binanceus', atMs, binanceUs.get(atMs) ?? NaN, fee),
        bookAt('kraken', atMs, kraken.get(atMs) ?? NaN, fee),
      ]
      const gross = matchBooks(books(0), atMs + 1000, 1).opportunity
      const net = matchBooks(books(0.0026), atMs + 1000, 1).opportunity
      return { atMs, grossBps: gross?.gross_bps ?? 0, net }
    })
    const wide = seen.filter(({ grossBps }) => grossBps > 60)
    const peak = seen.reduce((most, now) => (now.grossBps > most.grossBps ? now : most))
    const before = seen.filter(({ atMs }) => atMs < Date.parse('2023-03-10T00:00:00Z'))
    console.log(
      `${common.length} common minutes, ${wide.length} above 60 bps, ${seen.filter(({ net }) => net).length} with profit at 26 bps a side,`,
      `peak ${peak.grossBps.toFixed(0)} bps gross, ${peak.net?.net_bps.toFixed(0)} net at ${new Date(peak.atMs).toISOString()}`,
    )
    expect(new Date(peak.atMs).toISOString()).toBe('2023-03-11T06:48:00.000Z')
    expect(peak.grossBps).toBeGreaterThan(900)
    expect(peak.net).toMatchObject({ legs: [{ side: 'buy' }, { side: 'sell' }], skew_ms: 0 })
    expect(wide.length).toBeGreaterThan(600)
    expect(before.filter(({ grossBps }) => grossBps > 60).length / before.length).toBeLessThan(0.01)
    // What fees leave is the gross edge less both fees, to within a basis point of compounding.
    for (const { grossBps, net } of wide) expect(Math.abs((net?.net_bps ?? 0) - (grossBps - 52))).toBeLessThan(6)
  })

  test('a book that lags by more than five seconds ends every opportunity', () => {
    const { binanceUs, kraken } = readDepeg(replayDir)
    const peakMs = Date.parse('2023-03-11T06:48:00Z')
    const books = [
      bookAt('binanceus', peakMs, binanceUs.get(peakMs) ?? NaN, 0),
      bookAt('kraken', peakMs + 6000, kraken.get(peakMs) ?? NaN, 0),
    ]
    expect(matchBooks(books, peakMs + 7000, 1)).toMatchObject({ opportunity: null, reason: 'too_few_books' })
  })
})
