import { feeds } from '@svc/contracts/subscriptions/feed-catalogue'
import { expect, test } from 'vitest'
import { itemFacts } from './item-facts.ts'

const { crisis_alerts, arbitrage_2cex, arbitrage_3cex, priority_pool } = feeds
const key = ({ exchange, symbol }: { exchange: string; symbol: string }) => `${exchange} ${symbol}`

test('an alert names its pair and its severity', () => {
  expect(itemFacts(crisis_alerts.sample)).toEqual({
    pairs: [key(crisis_alerts.sample)],
    severity: crisis_alerts.sample.severity,
  })
})

test('a list names each pair of its entries once, and has no severity', () => {
  const two = arbitrage_2cex.sample.items.flatMap(({ buy, sell }) => [key(buy), key(sell)])
  const three = arbitrage_3cex.sample.items.flatMap(({ legs }) => legs.map(key))
  const pool = priority_pool.sample.items.map(key)
  for (const [feed, pairs] of [
    [arbitrage_2cex, two],
    [arbitrage_3cex, three],
    [priority_pool, pool],
  ] as const) {
    expect(pairs.length).toBeGreaterThan(0)
    expect(itemFacts(feed.sample)).toEqual({ pairs: [...new Set(pairs)], severity: null })
  }
  expect(itemFacts({ computed_at: '2026-11-21T09:00:00.000Z', items: [] })).toEqual({ pairs: [], severity: null })
})
