import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  AMBIGUOUS_TICKERS,
  REGULATED_LIST_AGE_MAX_MS,
  REGULATED_VENUES,
  regulatedBreadth,
  type RegulatedList,
} from './regulated-venues.ts'

const ids = REGULATED_VENUES.map(({ id }) => id)
const now = Date.parse('2026-11-22T12:00:00Z')
const list = (venue: RegulatedList['venue'], bases: readonly string[], ageMs = 0): RegulatedList => ({
  venue,
  readAt: now - ageMs,
  bases: new Set(bases),
})

test('the list of regulated venues is the frozen one', () => {
  expect(REGULATED_VENUES.map(({ name }) => name)).toEqual(['Bitstamp', 'Coinbase', 'Gemini', 'Kraken'])
})

test('an asset is counted once per venue, by the newest list of the venue', () => {
  const lists = [
    list('coinbase', ['BTC', 'AAVE']),
    list('coinbase', ['BTC', 'AAVE', 'XYZ'], 3_600_000),
    list('kraken', ['BTC']),
    list('gemini', ['BTC', 'AAVE']),
  ]
  const breadth = regulatedBreadth(lists, now)
  expect(['BTC', 'AAVE', 'XYZ'].map(breadth)).toEqual([3, 2, 0])
  expect(breadth('1000AAVE')).toBe(2)
})

test('a list older than three days, or from the future, is unknown, and one list alone gives no breadth', () => {
  const fresh = list('coinbase', ['BTC'])
  expect(regulatedBreadth([fresh, list('kraken', ['BTC'], REGULATED_LIST_AGE_MAX_MS)], now)('BTC')).toBe(2)
  expect(regulatedBreadth([fresh, list('kraken', ['BTC'], REGULATED_LIST_AGE_MAX_MS + 1)], now)('BTC')).toBeNull()
  expect(regulatedBreadth([fresh, list('kraken', ['BTC'], -1)], now)('BTC')).toBeNull()
  expect(regulatedBreadth([], now)('BTC')).toBeNull()
})

test('a ticker of two assets is unknown even where every list has it', () => {
  const lists = ids.map((venue) => list(venue, [...AMBIGUOUS_TICKERS, 'BTC']))
  const breadth = regulatedBreadth(lists, now)
  for (const ticker of AMBIGUOUS_TICKERS) expect(breadth(ticker)).toBeNull()
  expect(breadth('BTC')).toBe(ids.length)
})

test('the order of the lists changes nothing, and a further listing never lowers the breadth', () => {
  const bases = fc.uniqueArray(fc.constantFrom('A', 'B', 'C'))
  const lists = fc.array(fc.record({ venue: fc.constantFrom(...ids), bases, age: fc.nat(5) }), {
    maxLength: 8,
  })
  fc.assert(
    fc.property(lists, (drawn) => {
      const made = drawn.map(({ venue, bases: own, age }, place) => list(venue, own, age * 86_400_000 + place))
      const before = regulatedBreadth(made, now)
      const more = regulatedBreadth(
        made.map((one) => ({ ...one, bases: new Set([...one.bases, 'A']) })),
        now,
      )
      for (const base of ['A', 'B', 'C']) expect(regulatedBreadth(made.toReversed(), now)(base)).toBe(before(base))
      expect(more('A') ?? 0).toBeGreaterThanOrEqual(before('A') ?? 0)
      expect(more('B')).toBe(before('B'))
    }),
  )
})
