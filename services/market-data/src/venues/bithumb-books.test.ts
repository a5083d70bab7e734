import { expect, it } from 'vitest'
import { readBithumbBooks } from '@svc/contracts/market-data/venues/bithumb'

it('reads the books of many pairs of Bithumb, best levels first', () => {
  const level = { ask_price: 101, bid_price: 99, ask_size: 1, bid_size: 2 }
  const raw = [{ market: 'KRW-BTC', timestamp: 1_782_807_920_105, total_ask_size: 1, orderbook_units: [level] }]
  expect(readBithumbBooks(raw)).toEqual([
    { symbol: 'BTC/KRW', timestamp: 1_782_807_920_105, bids: [[99, 2]], asks: [[101, 1]] },
  ])
  expect(() => readBithumbBooks({ error: { message: 'no' } })).toThrow()
  expect(() => readBithumbBooks([{ market: 'KRW-BTC', timestamp: 1, orderbook_units: [{ ask_price: 1 }] }])).toThrow()
})
