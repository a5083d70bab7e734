import { expect, it } from 'vitest'
import { readBithumbBooks } from '@svc/contracts/market-data/venues/bithumb'

it('reads the books of many pairs of Bithumb, best levels first', () => {
  const level = { ask_price: 101, bid_price: 99, ask_size: 1, bid_size: 2 }
  const raw = [{ market: 'KRW-BTC', timestamp: 1_782_807_920_105, total_ask_size: 1, orderbook_units: [level] }]
  expect(readBithumbBooks(raw, 15)).toEqual([
    { symbol: 'BTC/KRW', timestamp: 1_782_807_920_105, bids: [[99, 2]], asks: [[101, 1]] },
  ])
  expect(() => readBithumbBooks({ error: { message: 'no' } }, 15)).toThrow()
  const odd = { market: 'KRW-BTC', timestamp: 1, orderbook_units: [{ ask_price: 1 }] }
  expect(readBithumbBooks([odd, ...raw], 15)).toEqual([null, expect.objectContaining({ symbol: 'BTC/KRW' })])
  const deep = [{ ...raw[0], orderbook_units: Array.from({ length: 30 }, () => level) }]
  expect(readBithumbBooks(deep, 15)).toMatchObject([{ bids: { length: 15 }, asks: { length: 15 } }])
})
