import { createAssetPrices, startReplayExchange } from '@svc/replay-exchange'
import { startVenueRig } from '@svc/venue-rig'
import { expect, test } from 'vitest'

const begin = Date.UTC(2026, 4, 3, 10, 0, 0)
const HOUR = 3_600_000

test('one asset has one price at the perpetuals venue and at the exchanges, within a spread, and it moves', async () => {
  const exchange = await startReplayExchange({ tokens: 30, lively: true, speed: 0, limits: false, startAt: begin })
  const rig = await startVenueRig({ prices: createAssetPrices() })
  rig.control('time', { now_ms: begin })
  const there = async (path: string) =>
    (await fetch(`${exchange.url}${path}`).then((answer) => answer.json())) as Record<string, never>
  const here = async () => {
    const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"type":"allMids"}' }
    return (await fetch(`${rig.url}/info`, asked).then((answer) => answer.json())) as Record<string, string>
  }
  const seen = new Set<string>()
  try {
    for (let hours = 0; hours < 72; hours += 7) {
      const mids = await here()
      seen.add(String(mids['BTC']))
      for (const coin of ['BTC', 'ETH', 'SOL', 'DOGE']) {
        const { bidPrice } = await there(`/binance/api/v3/ticker/bookTicker?symbol=${coin}USDT`)
        const { data } = await there(`/kucoin/api/v1/market/stats?symbol=${coin}-USDT`)
        for (const price of [Number(bidPrice), Number(data?.['last'])])
          expect(Math.abs(price / Number(mids[coin]) - 1)).toBeLessThan(0.001)
      }
      rig.control('time', { advance_ms: 7 * HOUR })
      exchange.clock.advance(7 * HOUR)
    }
    expect(seen.size).toBeGreaterThan(8)
  } finally {
    await rig.close()
    await exchange.stop()
  }
})
