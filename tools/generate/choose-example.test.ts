import { contract, operation } from '@svc/contract'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { choose, chooseSamples } from './choose-example.ts'

const shop = contract('shop', {
  title: 'Shop',
  operations: {
    listGoods: operation({
      summary: 'List goods',
      auth: 'open',
      http: 'GET /goods',
      input: z.strictObject({}),
      success: { 200: z.object({ items: z.array(z.object({ name: z.string(), note: z.string().nullable() })) }) },
    }),
  },
})
const key = 'shop.listGoods 200'
const candidates = [
  { items: [] },
  {
    items: [
      { name: 'tea', note: 'green' },
      { name: 'salt', note: null },
    ],
  },
  { items: 'none' },
].map((body) => ({ key, body: JSON.stringify(body) }))

test('the answer that says most becomes the example, with one item in each list', () => {
  expect(choose([shop], {}, candidates)).toEqual({
    chosen: { [key]: { items: [{ name: 'tea', note: 'green' }] } },
    missing: [],
  })
})

test('an example that its schema accepts stays, and one that it rejects is replaced', () => {
  const kept = { items: [{ name: 'oil', note: null }] }
  expect(choose([shop], { [key]: kept }, candidates).chosen).toEqual({ [key]: kept })
  expect(choose([shop], { [key]: { goods: [] } }, candidates).chosen).toEqual({
    [key]: { items: [{ name: 'tea', note: 'green' }] },
  })
})

test('an answer that no test got is named, and the example of a removed operation goes', () => {
  expect(choose([shop], { 'shop.gone 200': {} }, [])).toEqual({ chosen: {}, missing: [key] })
})

test('the sample of a feed keeps three items of each list, and one that knows the alerts comes first', () => {
  const leg = (exchange: string, alerts: readonly unknown[] | null) => ({ exchange, symbol: 'BTC/USDT', alerts })
  const item = (alerts: readonly unknown[] | null) => ({
    computed_at: '2026-11-22T21:42:36.680Z',
    items: [
      {
        asset: 'BTC',
        net_bps: 13,
        executable_usd: 1_499,
        depth_is_lower_bound: false,
        profit_usd: 2,
        legs: ['binance', 'gate', 'kucoin', 'mexc'].map((venue, nth) => ({
          ...leg(venue, alerts),
          side: nth === 0 ? 'buy' : 'sell',
        })),
      },
    ],
  })
  const told = [item(null), item([])].map((data) => ({ key: 'feed.arbitrage_3cex', body: JSON.stringify(data) }))
  const { arbitrage_3cex: sample } = chooseSamples({ arbitrage_3cex: {} }, told).chosen
  expect(sample).toEqual({ ...item([]), items: item([]).items.map((one) => ({ ...one, legs: one.legs.slice(0, 3) })) })
})
