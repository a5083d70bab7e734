import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fixedOf, times } from './fixed.ts'
import { closeSide, isSample, lowerFault, orderBody, readAmount, sizeOf, type Ticket } from './ticket.ts'

const ticket: Ticket = { market: 'hl:ETH', side: 'buy', amount: '25', reduceOnly: false, book: null }

test('a typed amount is read as decimal text, and what is none is named', () => {
  expect(readAmount(' 1,250.50 ', '10')).toEqual({ amount: '1250.5', fault: null })
  expect(readAmount('', null)).toMatchObject({ fault: 'empty' })
  for (const text of ['abc', '-5', '1e9', '0', '0.0', '1.0000001', '1,5', '٣'])
    expect(readAmount(text, null)).toMatchObject({ fault: 'form' })
  expect(readAmount('9.99', '10')).toMatchObject({ fault: 'minimum' })
  expect(readAmount('10', '10')).toEqual({ amount: '10', fault: null })
})

test('a size never costs more than the amount at its worst price', () => {
  const decimal = (max: number) =>
    fc.tuple(fc.nat(max), fc.stringMatching(/^\d{1,5}$/)).map(([whole, fraction]) => `${whole}.${fraction}`)
  fc.assert(
    fc.property(decimal(100_000), decimal(100_000), (amount, mark) => {
      const sizing = sizeOf(amount, 'buy', { mark_price: mark })
      if (sizing === null) return
      expect(times(fixedOf(sizing.size), fixedOf(sizing.worst)) <= fixedOf(amount)).toBe(true)
    }),
  )
  expect(sizeOf('30', 'buy', { mark_price: '3000' })).toEqual({ worst: '3030', size: '0.0099' })
  expect(sizeOf('30', 'sell', { mark_price: '3000' })).toEqual({ worst: '2970', size: '0.01' })
  expect(sizeOf('30', 'buy', { mark_price: '0' })).toBeNull()
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

test('figures are a sample unless the answer says that they are none', () => {
  expect(isSample({ sample: false })).toBe(false)
  for (const sample of [true, undefined, null, 0, 'false']) expect(isSample({ sample })).toBe(true)
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
