import { HttpTransport, InfoClient } from '@nktkas/hyperliquid'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startVenueRig, type PriceSource, type VenueRig } from '../src/index.ts'

const begin = Date.UTC(2026, 4, 3, 10, 0, 0)
const HOUR = 3_600_000
const LEVELS: Readonly<Record<string, number>> = { BTC: 90_000, ETH: 3_100, HYPE: 32, TSLA: 325 }
/** Waves of some hours. */
const prices: PriceSource = {
  priceUsd: (market, at) => {
    const level = LEVELS[market]
    return level === undefined ? null : level * (1 + 0.05 * Math.sin(at / HOUR) + 0.02 * Math.sin((7 * at) / HOUR))
  },
  fundingHour: (market, at) =>
    LEVELS[market] === undefined ? null : 0.000_012_5 + 0.000_03 * Math.sin(Math.floor(at / HOUR)),
}

let rig: VenueRig
let info: InfoClient
beforeEach(async () => {
  rig = await startVenueRig({ prices })
  info = new InfoClient({ transport: new HttpTransport({ isTestnet: true, apiUrl: rig.url }) })
  rig.control('time', { now_ms: begin })
})
afterEach(() => rig.close())

const later = (ms: number) => rig.control('time', { advance_ms: ms })
const midOf = async (coin: string) => Number((await info.allMids({ dex: coin.includes(':') ? 'xyz' : '' }))[coin])
const near = (value: number, wanted: number | null) => expect(Math.abs(value / (wanted ?? 0) - 1)).toBeLessThan(0.000_2)

test('markets follow the source of prices with the clock of the venue, those of other dexes too', async () => {
  for (const after of [0, 60_000, 9 * HOUR]) {
    later(after)
    const at = (await info.exchangeStatus()).time
    for (const coin of ['BTC', 'HYPE', 'xyz:TSLA'])
      near(await midOf(coin), prices.priceUsd(coin.replace('xyz:', ''), Math.floor(at / 3_000) * 3_000))
  }
  const [, [btc]] = await info.metaAndAssetCtxs()
  near(Number(btc?.prevDayPx), prices.priceUsd('BTC', begin + 9 * HOUR + 60_000 - 24 * HOUR))
  expect(Number(btc?.funding)).toBeCloseTo(prices.fundingHour('BTC', begin + 9 * HOUR) ?? 0, 9)
  const book = await info.l2Book({ coin: 'BTC' })
  near(Number(book?.levels[0][0]?.px), Number(btc?.markPx))
})

test('a price that the control plane sets wins until the market may follow again', async () => {
  rig.control('mark', { coin: 'BTC', price: '60000' })
  later(HOUR)
  expect(await midOf('BTC')).toBe(60_000)
  const eth = await midOf('ETH')
  rig.control('follow', { coin: 'BTC' })
  later(3_000)
  near(await midOf('BTC'), prices.priceUsd('BTC', begin + HOUR + 3_000))
  near(await midOf('ETH'), eth)
})

test('candles and rates of days ago come from the source, and the last candle ends now', async () => {
  later(20 * 60_000)
  const startTime = begin - 5 * 24 * HOUR
  const candles = await info.candleSnapshot({ coin: 'ETH', interval: '1h', startTime })
  expect(candles).toHaveLength(5 * 24 + 1)
  for (const [index, candle] of candles.entries()) {
    near(Number(candle.o), prices.priceUsd('ETH', startTime + index * HOUR))
    expect(Number(candle.h)).toBeGreaterThanOrEqual(Math.max(Number(candle.o), Number(candle.c)))
    expect(Number(candle.l)).toBeLessThanOrEqual(Math.min(Number(candle.o), Number(candle.c)))
  }
  near(Number(candles.at(-1)?.c), await midOf('ETH'))
  const rates = await info.fundingHistory({ coin: 'ETH', startTime })
  expect(rates).toHaveLength(5 * 24 + 1)
  expect(new Set(rates.map(({ fundingRate }) => fundingRate)).size).toBeGreaterThan(50)
})
