import { boardQuery } from '@svc/contracts/market-data/screener'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { watchedOf } from './watched.ts'

const ID = fc.oneof(fc.string({ maxLength: 120 }), fc.constantFrom('binance_btc_usdt,upbit_btc_krw', 'a,b,c,d'))

test('a stored list has at most 100 different ids, whatever the browser kept', () => {
  expect(watchedOf(null)).toEqual([])
  expect(watchedOf('{')).toEqual([])
  expect(watchedOf('{"a":1}')).toEqual([])
  expect(watchedOf('["binance_btc_usdt",7,"x","binance_btc_usdt"]')).toEqual(['binance_btc_usdt'])
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ maxLength: 200 }), fc.integer()), { maxLength: 150 }), (list) => {
      const ids = watchedOf(JSON.stringify(list))
      expect(ids.length).toBeLessThanOrEqual(100)
      expect(new Set(ids).size).toBe(ids.length)
      for (const id of ids) expect(list).toContain(id)
    }),
  )
})

test('whatever the browser kept, the board takes the list', () => {
  expect(watchedOf('["binance_btc,usdt","a,b,c","upbit_btc_krw"]')).toEqual(['upbit_btc_krw'])
  fc.assert(
    fc.property(fc.array(ID, { maxLength: 150 }), (list) => {
      const ids = watchedOf(JSON.stringify(list))
      if (ids.length > 0) expect(boardQuery.safeParse({ token_id: ids.join(',') }).success).toBe(true)
    }),
  )
  // The query has 4,000 characters: 39 ids of 100 with their commas, and 41 of 96.
  const long = (length: number) => Array.from({ length: 100 }, (_, at) => String(at).padStart(length, 'x'))
  const kept = [100, 96, 5].map((length) => watchedOf(JSON.stringify(long(length))))
  expect(kept.map(({ length }) => length)).toEqual([39, 41, 100])
  for (const ids of kept) expect(boardQuery.safeParse({ token_id: ids.join(',') }).success).toBe(true)
})
