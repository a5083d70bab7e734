import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchPayments, sharePayment, type LedgerPayment, type SignedTransfer } from './match-ledger.ts'

const POOL = '0xp'
const OWNER = '0xo'
const transfer = (transferId: string, nonce: number, amount = 5n): SignedTransfer => ({
  transferId,
  payer: POOL,
  payee: OWNER,
  amount,
  nonce,
})
const payment = (hash: string, at: number, amount = 5n): LedgerPayment => ({
  hash,
  at,
  payer: POOL,
  payee: OWNER,
  amount,
})

test('an entry of the ledger belongs to one transfer, and never to a later one', () => {
  const matched = matchPayments(
    [transfer('b', 2_000_000), transfer('a', 1_000_000)],
    [payment('0x2', 2_000_100), payment('0x1', 1_000_100)],
    new Set(),
  )
  expect([...matched].map(([id, { hash }]) => [id, hash])).toEqual([
    ['a', '0x1'],
    ['b', '0x2'],
  ])
  expect(matchPayments([transfer('a', 1_000_000)], [payment('0x1', 900_000)], new Set()).size).toBe(0)
  expect(matchPayments([transfer('a', 1_000_000)], [payment('0x1', 1_000_100)], new Set(['0x1'])).size).toBe(0)
})

test('no entry is used twice, whatever was signed and paid', () => {
  const at = fc.integer({ min: 0, max: 300_000 })
  const amount = fc.bigInt({ min: 1n, max: 3n })
  fc.assert(
    fc.property(fc.array(fc.tuple(at, amount)), fc.array(fc.tuple(at, amount)), (signed, paid) => {
      const matched = matchPayments(
        signed.map(([nonce, of], n) => transfer(`t${n}`, nonce, of)),
        paid.map(([time, of], n) => payment(`0x${n}`, time, of)),
        new Set(),
      )
      const hashes = [...matched.values()].map(({ hash }) => hash)
      expect(new Set(hashes).size).toBe(hashes.length)
    }),
  )
})

test('a payment that no row announced lowers the debt first, then is a return up to what is owed, and the rest is foreign', () => {
  expect(sharePayment(100n, 30n, 50n)).toEqual({ toDebt: 30n, toLeg: 50n, foreign: 20n })
  expect(sharePayment(20n, 30n, 50n)).toEqual({ toDebt: 20n, toLeg: 0n, foreign: 0n })
  expect(sharePayment(100n, 0n, null)).toEqual({ toDebt: 0n, toLeg: 0n, foreign: 100n })
  const units = fc.bigInt({ min: 0n, max: 500n })
  fc.assert(
    fc.property(units, units, fc.option(units), (amount, debt, owed) => {
      const { toDebt, toLeg, foreign } = sharePayment(amount, debt, owed)
      expect(toDebt + toLeg + foreign).toBe(amount)
      expect([toDebt, toLeg, foreign].every((part) => part >= 0n)).toBe(true)
    }),
  )
})
