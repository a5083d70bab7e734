import type { CallMeaning } from '@svc/limits/call-meaning'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { outlookOf } from './outlook.ts'

const listed = { market: 'testvenue', title: 'Test venue', instrument: 'BTC', acceptsAnyPrice: false } as const
const buy: CallMeaning = { ...listed, action: 'buy', pays: 50_000_000n, units: null, least: 800n, worstPrice: 1n }
const sell: CallMeaning = { ...listed, action: 'sell', pays: null, units: 500_000n, least: 40_000_000n, worstPrice: 1n }
const WORTH = 500_000_000n

describe('what a purchase leads to', () => {
  const quote = { gets: 1_000n, effect: -1_000_000n }

  test('is the price now, the worth at it, and the worth at the worst price', () => {
    expect(outlookOf(buy, quote, WORTH)).toEqual({
      price: 50_000_000_000n,
      after: 499_000_000n,
      // 800 of 1,000 units, which would pay 49 on the way out.
      worst: 489_200_000n,
      fails: false,
      isUnprotected: false,
    })
  })

  test('may be that all of the payment is lost, where it accepts any price', () => {
    const any = { ...buy, least: 1n, acceptsAnyPrice: true }
    expect(outlookOf(any, quote, WORTH).worst).toBe(450_000_000n)
    expect(outlookOf(any, null, WORTH)).toEqual({
      price: null,
      after: null,
      worst: 450_000_000n,
      fails: false,
      isUnprotected: true,
    })
  })

  test('is that the venue refuses it, where the price now is worse than the worst', () => {
    expect(outlookOf(buy, { ...quote, gets: 799n }, WORTH)).toMatchObject({ fails: true, worst: null })
    expect(outlookOf(sell, { gets: 39_000_000n, effect: 0n }, WORTH)).toMatchObject({ fails: true, worst: null })
  })

  test('is unknown without a quote, and without a worth', () => {
    expect(outlookOf(buy, null, WORTH)).toEqual({
      price: null,
      after: null,
      worst: null,
      fails: false,
      isUnprotected: false,
    })
    expect(outlookOf(buy, quote, null)).toMatchObject({ price: 50_000_000_000n, after: null, worst: null })
  })
})

describe('what a sale leads to', () => {
  const quote = { gets: 45_000_000n, effect: 0n }

  test('is no change at the price now, and the difference to the least at the worst price', () => {
    expect(outlookOf(sell, quote, WORTH)).toEqual({
      price: 90_000_000n,
      after: 500_000_000n,
      worst: 495_000_000n,
      fails: false,
      isUnprotected: false,
    })
  })

  test('may be that nothing comes for the position, where it accepts any price', () => {
    expect(outlookOf({ ...sell, least: 0n, acceptsAnyPrice: true }, quote, WORTH).worst).toBe(455_000_000n)
  })
})

test('a redemption has a final price, which is not known here', () => {
  const redeem: CallMeaning = { ...sell, action: 'redeem', units: null, least: null, worstPrice: null }
  expect(outlookOf(redeem, null, WORTH)).toEqual({
    price: null,
    after: null,
    worst: null,
    fails: false,
    isUnprotected: false,
  })
})

test('the worst is never better than the price now, and a least that protects nobody is told', () => {
  const amount = fc.bigInt(1n, 1_000_000_000n)
  fc.assert(
    fc.property(amount, amount, amount, fc.boolean(), (given, least, gets, isBuy) => {
      const meaning: CallMeaning = isBuy ? { ...buy, pays: given, least } : { ...sell, units: given, least }
      const { after, worst, fails } = outlookOf(meaning, { gets, effect: isBuy ? -given / 100n : 0n }, WORTH)
      expect(worst === null).toBe(fails)
      if (worst !== null) expect(worst <= (after ?? 0n)).toBe(true)
    }),
  )
  expect(outlookOf({ ...buy, least: 2n }, { gets: 1_000n, effect: -1_000_000n }, WORTH).isUnprotected).toBe(true)
})
