import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { notionalAt, referencePrice, sizeWithin } from './reference-price.ts'

const reading = { mark: '60000', bid: '59994', ask: '60006' }

describe('the reference price is the highest of what one reading shows', () => {
  test.each([
    ['a buy counts at its worst price', 'buy', '63000', reading, '63000'],
    ['a sell counts at the mark above its worst price', 'sell', '57000', reading, '60000'],
    ['a sell counts at the middle above the mark', 'sell', '57000', { ...reading, mark: '59999.5' }, '60000'],
    ['a buy counts at a mark above its worst price', 'buy', '59000', reading, '60000'],
    [
      'a sell counts at the bid where nobody asks',
      'sell',
      '57000',
      { mark: '59000', bid: '59994', ask: null },
      '59994',
    ],
    ['a buy does not count at that bid', 'buy', '59500', { mark: '59000', bid: '59994', ask: null }, '59500'],
    ['an empty book leaves the mark', 'sell', '57000', { mark: '60000', bid: null, ask: null }, '60000'],
    ['the middle keeps its half', 'sell', '1', { mark: '1', bid: '1.001', ask: '1.002' }, '1.0015'],
  ] as const)('%s', (_, side, worst, at, price) => {
    expect(referencePrice(side, worst, at)).toBe(price)
  })
})

const decimal = (wholeMax: number, digitsMax: number) =>
  fc
    .record({ whole: fc.nat(wholeMax), fraction: fc.stringMatching(new RegExp(`^\\d{0,${digitsMax}}$`)) })
    .map(({ whole, fraction }) => (fraction === '' ? String(whole) : `${whole}.${fraction}`))
const price = decimal(200_000, 6).filter((text) => /[1-9]/.test(text))
const units = (text: string, digits: number) => {
  const [whole, fraction = ''] = text.split('.')
  return BigInt(`${whole}${fraction.padEnd(digits, '0')}`)
}

test('whatever is read, no price of it is above the reference price, and it is one of them', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('buy' as const, 'sell' as const),
      price,
      fc.record({ mark: price, bid: fc.option(price), ask: fc.option(price) }),
      (side, worst, at) => {
        const found = units(referencePrice(side, worst, at), 7)
        const middle = at.bid === null || at.ask === null ? null : (units(at.bid, 7) + units(at.ask, 7)) / 2n
        const seen = [
          units(worst, 7),
          units(at.mark, 7),
          middle,
          side === 'sell' && at.bid !== null ? units(at.bid, 7) : null,
        ]
        const known = seen.filter((one) => one !== null)
        expect(known.every((one) => one <= found)).toBe(true)
        expect(known).toContain(found)
      },
    ),
  )
})

test('a size is on the lot, costs at most its amount at the price, and one lot more costs more', () => {
  fc.assert(
    fc.property(decimal(1_000_000, 6), price, fc.nat(6), (amount, at, decimals) => {
      const size = sizeWithin(amount, at, decimals)
      expect((size.split('.')[1] ?? '').length).toBeLessThanOrEqual(decimals)
      const lots = units(size, decimals)
      const worth = (count: bigint) => count * units(at, 6) * 10n ** 6n
      const asked = units(amount, 6) * 10n ** BigInt(6 + decimals)
      expect(worth(lots) <= asked).toBe(true)
      expect(worth(lots + 1n) > asked).toBe(true)
    }),
  )
})

test('a notional is rounded up by less than a micro-dollar, and that of a size within an amount is within it', () => {
  fc.assert(
    fc.property(decimal(1_000_000, 6), price, fc.nat(6), (amount, at, decimals) => {
      const size = sizeWithin(amount, at, decimals)
      const notional = units(notionalAt(size, at), 6)
      expect(notional <= units(amount, 6)).toBe(true)
      const exact = units(size, decimals) * units(at, 6)
      const scale = 10n ** BigInt(decimals)
      expect(notional * scale >= exact && (notional - 1n) * scale < exact).toBe(true)
    }),
  )
})

test('figures are plain text without needless zeros, and anything else is an error', () => {
  expect([sizeWithin('100', '60000', 5), sizeWithin('0.5', '60000', 0), sizeWithin('30', '3000', 6)]).toEqual([
    '0.00166',
    '0',
    '0.01',
  ])
  expect([notionalAt('0.00166', '60000'), notionalAt('1', '0.0000001')]).toEqual(['99.6', '0.000001'])
  for (const text of ['', '-1', '1e5', 'x', '.5']) expect(() => notionalAt(text, '1')).toThrow(RangeError)
  expect(() => sizeWithin('1', '0', 2)).toThrow(RangeError)
})
