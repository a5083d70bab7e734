import { stepMarket, type MarketObservation } from '@svc/market-data/crisis/rules/crisis-market'
import type { CrisisState } from '@svc/market-data/crisis/rules/crisis'
import { describe, expect, test } from 'vitest'
import { isLeveraged, minuteIndex, readKlines, type Klines } from './klines.ts'

const replayDir = process.env['MARKET_REPLAY_DIR'] ?? ''
const minuteMs = 60_000
const stablecoins = new Set(['BUSD', 'USDC', 'USDP', 'TUSD'].map((base) => `${base}USDT`))

function readDay(): { markets: Klines[]; fromMs: number; toMs: number } {
  const day = Date.parse('2022-11-08T00:00:00Z')
  const markets = readKlines(replayDir, 'usdt').filter(({ symbol, startMs }) => !isLeveraged(symbol) && startMs >= day)
  return {
    markets,
    fromMs: Math.min(...markets.map(({ startMs }) => startMs)),
    toMs: Math.max(...markets.map(({ startMs, close }) => startMs + (close.length - 1) * minuteMs)),
  }
}

const observe = (market: Klines, atMs: number): MarketObservation[] => {
  const minute = minuteIndex(market, atMs)
  const priceUsd = market.close[minute]
  if (priceUsd === undefined) return []
  return [
    {
      id: market.symbol,
      group: 'binance USDT',
      atMs,
      priceUsd,
      candlePrices: null,
      // Candles hold no book: one that a simulator would make, wildly wrong, must not matter.
      book: { depth2pctUsd: minute % 7, depthIsLowerBound: false, spreadBps: 900 * (minute % 5), synthetic: true },
      trades: market.trades[minute] ?? null,
      halted: false,
      peggedToUsd: stablecoins.has(market.symbol),
      referencePriceUsd: null,
      flags: [],
    },
  ]
}

describe.skipIf(replayDir === '')('crisis rules on the FTX day', () => {
  test('325 pairs open at most 5 episodes on at most 2 tokens, FTT first and within 2 minutes of the condition', () => {
    const { markets, fromMs, toMs } = readDay()
    expect(markets).toHaveLength(325)
    const states = new Map<string, CrisisState>()
    const opened: { symbol: string; atMs: number; rule: string }[] = []
    const start = performance.now()
    for (let atMs = fromMs; atMs <= toMs; atMs += minuteMs) {
      const observations = markets.flatMap((market) => observe(market, atMs))
      for (const step of stepMarket(states, observations)) {
        states.set(step.id, step.state)
        for (const { rule } of step.opened) opened.push({ symbol: step.id, atMs, rule })
      }
    }
    const elapsedMs = performance.now() - start
    console.log(opened.map(({ symbol, atMs, rule }) => `${new Date(atMs).toISOString()} ${symbol} ${rule}`).join('\n'))
    console.log(`${markets.length} pairs, ${(toMs - fromMs) / minuteMs + 1} minutes in ${elapsedMs.toFixed(0)} ms`)

    expect(opened.every(({ rule }) => rule === 'crash')).toBe(true)
    expect(opened.length).toBeGreaterThan(0)
    expect(opened.length).toBeLessThanOrEqual(5)
    expect(new Set(opened.map(({ symbol }) => symbol)).size).toBeLessThanOrEqual(2)
    expect(opened[0]?.symbol).toBe('FTTUSDT')
    const delayMs = (opened[0]?.atMs ?? Infinity) - firstCondition(markets)
    expect(delayMs).toBeGreaterThanOrEqual(0)
    expect(delayMs).toBeLessThanOrEqual(2 * minuteMs)
  })
})

/** Returns the first minute in which FTT's hour lies 12 % below the median hour of the markets, computed from the candles alone. */
function firstCondition(markets: readonly Klines[]): number {
  const ftt = markets.find(({ symbol }) => symbol === 'FTTUSDT')
  const hour = (market: Klines, atMs: number) => {
    const minute = minuteIndex(market, atMs)
    return (market.close[minute] ?? NaN) / (market.close[minute - 60] ?? NaN) - 1
  }
  if (!ftt) return NaN
  for (let minute = 60; minute < ftt.close.length; minute += 1) {
    const atMs = ftt.startMs + minute * minuteMs
    const hours = markets
      .map((market) => hour(market, atMs))
      .filter((value) => !Number.isNaN(value))
      .toSorted((a, b) => a - b)
    if (hour(ftt, atMs) - (hours[Math.floor(hours.length / 2)] ?? NaN) <= -0.12) return atMs
  }
  return NaN
}
