import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { centreOf } from '@svc/venue/rules/band'
import { planCloses, type Quote } from './plan-closes.ts'

const BAND = '0.05'
const quote = (changed: Partial<Quote> = {}): Quote => ({
  bid: '99.9',
  ask: '100.1',
  mark: '100',
  sizeDecimals: 2,
  ...changed,
})

test('a long is sold and a short is bought back, each at its full size', () => {
  const positions = [
    { coin: 'BTC', size: '1.5' },
    { coin: 'ETH', size: '-0.25' },
    { coin: 'SOL', size: '0' },
  ]
  expect(planCloses(positions, () => quote(), BAND)).toEqual({
    closes: [
      { coin: 'BTC', side: 'sell', size: '1.5', price: '95' },
      { coin: 'ETH', side: 'buy', size: '0.25', price: '105' },
    ],
    unpriced: [],
  })
})

test('a position without a quote is named and the others are closed', () => {
  const positions = [
    { coin: 'BTC', size: '1' },
    { coin: 'ETH', size: '1' },
  ]
  const plan = planCloses(positions, (coin) => (coin === 'BTC' ? null : quote()), BAND)
  expect(plan.unpriced).toEqual(['BTC'])
  expect(plan.closes.map(({ coin }) => coin)).toEqual(['ETH'])
})

test('with an empty side, or a middle outside the band, a close is priced around the mark', () => {
  const priceWith = (changed: Partial<Quote>) =>
    planCloses([{ coin: 'BTC', size: '1' }], () => quote(changed), BAND).closes[0]?.price
  expect(priceWith({ bid: '103.9', ask: '104.1' })).toBe('98.8')
  for (const away of [{ bid: null }, { ask: null }, { bid: null, ask: null }, { bid: '120', ask: '122' }])
    expect(priceWith(away)).toBe('95')
})

const cents = (min: number, max: number) =>
  fc.integer({ min, max }).map((value) => new Decimal(value).div(100).toFixed())
const anyQuote = fc.record({
  bid: fc.option(cents(1, 10_000_000)),
  ask: fc.option(cents(1, 10_000_000)),
  mark: cents(1, 10_000_000),
  sizeDecimals: fc.integer({ min: 0, max: 4 }),
})
const anyPosition = fc.record({
  coin: fc.constantFrom('BTC', 'ETH', 'xyz:TSLA'),
  size: fc.integer({ min: -1_000_000, max: 1_000_000 }).map((value) => new Decimal(value).div(10_000).toFixed()),
})

test('whatever the book shows, each position gets one order of its size, against its side, inside the band around mark or middle', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyPosition, { selector: ({ coin }) => coin }), anyQuote, (positions, given) => {
      const { closes, unpriced } = planCloses(positions, () => given, BAND)
      const open = positions.filter(({ size }) => Number(size) !== 0)
      expect(closes.length + unpriced.length).toBe(open.length)
      for (const close of closes) {
        const { size } = open.find(({ coin }) => coin === close.coin) ?? expect.fail('an order without a position')
        expect(new Decimal(size).plus(close.side === 'sell' ? `-${close.size}` : close.size).isZero()).toBe(true)
        const reference = new Decimal(centreOf(given, BAND).price)
        const distance = new Decimal(close.price).minus(reference).abs()
        // A worse price than the band is never accepted; a better one only by a step of the grid.
        expect(distance.lte(reference.times(BAND))).toBe(true)
        const mark = new Decimal(given.mark)
        expect(reference.minus(mark).abs().lte(mark.times(BAND))).toBe(true)
      }
    }),
    { numRuns: 500, seed: 20261122 },
  )
})
