import type { MarketObservation } from '@svc/market-data/crisis/rules/crisis-market'
import { readDepegDays, type Minutes } from '../recordings/depeg-minutes.ts'
import { isLeveraged, minuteIndex, readKlines, type Klines } from '../recordings/klines.ts'
import { readLuna } from '../recordings/luna.ts'
import { noticeReplay } from './notices.ts'
import type { Replay } from './replay.ts'

const MINUTE_MS = 60_000
const HALF_HOUR_MS = 30 * MINUTE_MS

const bare = {
  candlePrices: null,
  book: null,
  halted: null,
  peggedToUsd: false,
  referencePriceUsd: null,
  flags: null,
  trades: null,
}

/** UST first traded below 0.99 dollars on 7 May 2022, two days before LUNA fell. */
const UST_LEFT_ITS_PEG = Date.parse('2022-05-07T00:00:00.000Z')
/** Silicon Valley Bank was closed on 10 March 2023; its depositor Circle said so that night. */
const BANK_CLOSED = Date.parse('2023-03-10T00:00:00.000Z')
/** Dollar stablecoins among the recorded pairs. */
const stablecoins = new Set(['BUSD', 'USDC', 'USDP', 'TUSD'].map((base) => `${base}USDT`))

/** Every recording of which the rules are judged, in the order of the page. */
export function replaysOf(replayDir: string): Replay[] {
  return [...luna(replayDir), ...depeg(replayDir), ...ftx(replayDir), noticeReplay(replayDir)]
}

const isoOf = (ms: number) => new Date(ms).toISOString()

/** Divides a recording at a time: what comes before is calm and warms up the rules for what comes after. */
function divided(
  whole: Pick<Replay, 'name' | 'pairs' | 'stepMinutes' | 'inDanger'> & {
    readonly steps: readonly MarketObservation[][]
  },
  at: number,
): [calm: Replay, crisis: Replay] {
  const { steps } = whole
  const times = steps.map((step) => step[0]?.atMs ?? NaN)
  const [first = NaN, last = NaN] = [times[0], times.at(-1)]
  const before = steps.filter((_, place) => (times[place] ?? NaN) < at)
  return [
    { ...whole, name: `${whole.name}, before`, kind: 'calm', from: isoOf(first), to: isoOf(at), steps: before },
    { ...whole, kind: 'crisis', from: isoOf(at), to: isoOf(last + whole.stepMinutes * MINUTE_MS) },
  ]
}

function luna(replayDir: string): Replay[] {
  const all = readLuna(replayDir)
  const gap = all.findIndex(({ atMs }, place) => atMs - (all[place - 1]?.atMs ?? atMs) > HALF_HOUR_MS)
  const steps = all.slice(0, gap).map(({ atMs, close }): MarketObservation[] => [
    // The close of a half hour is known when it ends.
    { ...bare, id: 'LUNA/USDT', group: 'binance USDT', atMs: atMs + HALF_HOUR_MS, priceUsd: close },
  ])
  const whole = { name: 'LUNA/USDT, Binance', pairs: 1, stepMinutes: 30, inDanger: new Set(['LUNA/USDT']), steps }
  return divided(whole, UST_LEFT_ITS_PEG)
}

function depeg(replayDir: string): Replay[] {
  const { usBtcUsd, usBtcUsdc, usBtcUsdt, krakenBtcUsdc } = readDepegDays(replayDir)
  const usdc = 'USDC/USD, Binance.US, from BTC/USD and BTC/USDC'
  const pairs: readonly [id: string, minutes: Minutes, reference: Minutes | null][] = [
    ['BTC/USD, Binance.US', usBtcUsd, null],
    ['BTC/USDT, Binance.US', usBtcUsdt, null],
    ['BTC/USDC, Binance.US', usBtcUsdc, krakenBtcUsdc],
    ['BTC/USDC, Kraken', krakenBtcUsdc, usBtcUsdc],
  ]
  const steps = [...usBtcUsd.keys()].map((atMs): MarketObservation[] => {
    const observed = pairs.flatMap(([id, minutes, reference]): MarketObservation[] => {
      const minute = minutes.get(atMs)
      if (minute === undefined) return []
      const referencePriceUsd = reference?.get(atMs)?.price ?? null
      // Each dollar stablecoin counts as one dollar in prices, as in production.
      return [
        { ...bare, id, group: id, atMs, priceUsd: minute.price, trades: minute.traded ? 1 : 0, referencePriceUsd },
      ]
    })
    const [dollars, coins] = [usBtcUsd.get(atMs), usBtcUsdc.get(atMs)]
    // No recording has a market of USDC against the dollar. The price follows from two markets; its trades do not.
    const implied = dollars === undefined || coins === undefined ? null : dollars.price / coins.price
    return [...observed, { ...bare, id: usdc, group: usdc, atMs, priceUsd: implied, peggedToUsd: true }]
  })
  const inDanger = new Set([usdc, 'BTC/USDC, Binance.US', 'BTC/USDC, Kraken'])
  return divided({ name: 'USDC depeg, Binance.US and Kraken', pairs: 5, stepMinutes: 1, inDanger, steps }, BANK_CLOSED)
}

function ftx(replayDir: string): Replay[] {
  const day = Date.parse('2022-11-08T00:00:00Z')
  const markets = readKlines(replayDir, 'usdt').filter(({ symbol, startMs }) => !isLeveraged(symbol) && startMs >= day)
  const fromMs = Math.min(...markets.map(({ startMs }) => startMs))
  const toMs = Math.max(...markets.map(({ startMs, close }) => startMs + close.length * MINUTE_MS))
  const steps = Array.from({ length: (toMs - fromMs) / MINUTE_MS }, (_, place) =>
    markets.flatMap((market) => observedAt(market, fromMs + place * MINUTE_MS)),
  )
  return [
    {
      name: 'FTX day, Binance, pairs in USDT',
      kind: 'stress',
      from: isoOf(fromMs),
      to: isoOf(toMs),
      pairs: markets.length,
      stepMinutes: 1,
      inDanger: new Set(['FTTUSDT']),
      steps,
    },
  ]
}

function observedAt(market: Klines, atMs: number): MarketObservation[] {
  const minute = minuteIndex(market, atMs)
  const priceUsd = market.close[minute]
  if (priceUsd === undefined) return []
  const { symbol, trades } = market
  const peggedToUsd = stablecoins.has(symbol)
  return [{ ...bare, id: symbol, group: 'binance USDT', atMs, priceUsd, trades: trades[minute] ?? null, peggedToUsd }]
}
