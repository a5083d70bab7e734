import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fixedOf, fixedText, times } from './fixed.ts'
import { closeSide, lowerFault, orderBody, provenanceOf, readAmount, sizeOf, type Ticket } from './ticket.ts'

const ticket: Ticket = { market: 'hl:ETH', side: 'buy', amount: '25', reduceOnly: false, book: null }

test('a typed amount is read as decimal text, and what is none is named', () => {
  expect(readAmount(' 1,250.50 ', '10')).toEqual({ amount: '1250.5', fault: null })
  expect(readAmount('', null)).toMatchObject({ fault: 'empty' })
  for (const text of ['abc', '-5', '1e9', '0', '0.0', '1.0000001', '1,5', '٣'])
    expect(readAmount(text, null)).toMatchObject({ fault: 'form' })
  expect(readAmount('9.99', '10')).toMatchObject({ fault: 'minimum' })
  expect(readAmount('10', '10')).toEqual({ amount: '10', fault: null })
})

test('an estimated size never fills more than the amount in the book on the screen, whichever side', () => {
  const price = fc.integer({ min: 1, max: 999_999_999 }).map((units) => fixedText(BigInt(units) * 10n ** 14n))
  const decimal = fc.tuple(fc.nat(100_000), fc.stringMatching(/^\d{1,6}$/)).map(([whole, part]) => `${whole}.${part}`)
  const bps = fc.integer({ min: -150, max: 150 })
  const shifted = (text: string, by: number) => fixedText((fixedOf(text) * BigInt(10_000 + by)) / 10_000n)
  fc.assert(
    fc.property(decimal, price, bps, fc.nat(100), fc.constantFrom('buy', 'sell'), (amount, mark, away, half, side) => {
      const mid = shifted(mark, away)
      const sizing = sizeOf(amount, side, { mark_price: mark, mid_price: mid })
      if (sizing === null) return
      // The best offer of the other side; a buy goes as far as its worst price.
      const first = side === 'sell' ? shifted(mid, -half) : sizing.worst
      expect(times(fixedOf(sizing.size), fixedOf(first))).toBeLessThanOrEqual(fixedOf(amount))
      expect(times(fixedOf(sizing.size), fixedOf(sizing.reference))).toBeLessThanOrEqual(fixedOf(amount))
    }),
  )
})

test('an estimate lies around the middle of the book while it agrees with the mark', () => {
  const at = (side: 'buy' | 'sell', mid_price: string | null) => sizeOf('30', side, { mark_price: '3000', mid_price })
  expect(at('buy', null)).toEqual({ worst: '3030', reference: '3030', size: '0.0099' })
  expect(at('sell', null)).toEqual({ worst: '2970', reference: '3000', size: '0.01' })
  expect(at('sell', '3020')).toEqual({ worst: '2989.8', reference: '3020', size: '0.009933' })
  expect(at('sell', '3100')).toMatchObject({ worst: '2970', reference: '3100' })
  expect(sizeOf('30', 'buy', { mark_price: '0', mid_price: null })).toBeNull()
})

test('an order carries the mode that stands on the screen, and a live one names no paper book', () => {
  const book = 'pbk_0123456789abcdef0123456789abcdef'
  expect(orderBody({ ...ticket, book }, '25', 'paper', false)).toMatchObject({ mode_seen: 'paper', book })
  expect(orderBody({ ...ticket, book }, '25', 'live', true)).toEqual({
    market: 'hl:ETH',
    side: 'buy',
    amount_usdc: '25',
    reduce_only: false,
    max_slippage: '0.01',
    mode_seen: 'live',
    dry_run: true,
  })
  expect(orderBody({ ...ticket, market: null }, '25', 'paper', false)).toBeNull()
})

test('prices are real only if the answer says so of both members, and made up if it says so of one', () => {
  expect(provenanceOf({ sample: false, made_up: false })).toBe('real')
  expect(provenanceOf({ sample: false, made_up: true })).toBe('made_up')
  expect(provenanceOf({ sample: true })).toBe('made_up')
  expect(provenanceOf({})).toBe('unknown')
  expect(provenanceOf({ sample: false })).toBe('unknown')
  for (const other of [undefined, null, 0, 'false']) {
    expect(provenanceOf({ sample: other, made_up: false })).toBe('unknown')
    expect(provenanceOf({ sample: false, made_up: other })).toBe('unknown')
  }
})

test('a limit goes down and never up, by the least step', () => {
  expect(lowerFault('99.999999', '100')).toBeNull()
  expect(lowerFault('0', '100')).toBeNull()
  expect(lowerFault('100', '100')).toBe('same')
  expect(lowerFault('100.000001', '100')).toBe('above')
  expect(lowerFault('', '100')).toBe('form')
})

test('a long position is closed by a sale, a short one by a purchase', () => {
  expect([closeSide('0.5'), closeSide('-0.5')]).toEqual(['sell', 'buy'])
})
