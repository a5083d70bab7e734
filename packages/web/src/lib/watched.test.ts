import fc from 'fast-check'
import { expect, test } from 'vitest'
import { watchedOf } from './watched.ts'

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
