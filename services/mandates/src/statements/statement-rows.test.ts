import { usdcText } from '@svc/limits'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sectionsOf } from './statement-rows.ts'
import type { OwnStatement, Statement } from '@svc/contracts/mandates/statements'

const figures: OwnStatement['totals'] = {
  opening_worth_usdc: null,
  closing_worth_usdc: null,
  profit_usdc: null,
  deposits_usdc: '0',
  withdrawals_usdc: '0',
  unbooked_usdc: null,
  trades: 0,
  spent_usdc: '1234567.5',
  received_usdc: '0.000001',
  fees_usdc: '0',
  leg_orders: 0,
  leg_filled_usdc: '0',
  leg_fees_usdc: '0',
  leg_funded_usdc: '0',
  leg_returned_usdc: '0',
  closing_leg_usdc: '0',
  refusals: { total: 3, by_kind: { OverPerTxCap: 2, another_kind: 1 } },
  approvals: { requested: 0, approved: 0, declined: 0, used: 0, expired: 0 },
  violations: 0,
}
const rowsOf = (given: OwnStatement['totals'], item: Statement | null = null) =>
  new Map(sectionsOf(given, item).flatMap(({ rows }) => rows.map(({ label, value }) => [label.trim(), value])))

const baseUnits = (shown: string | null | undefined) => {
  const [whole = '', fraction = ''] = (shown ?? '').replaceAll(',', '').split('.')
  return BigInt(`${whole}${fraction.padEnd(6, '0')}`)
}

test('the lines of the money section add up to the closing worth', () => {
  const amount = fc.bigInt({ min: 0n, max: 2n ** 100n })
  const signed = fc.oneof(fc.constant(0n), fc.bigInt({ min: -(2n ** 100n), max: 2n ** 100n }))
  fc.assert(
    fc.property(amount, amount, amount, amount, signed, (opening, deposits, withdrawals, closing, unbooked) => {
      const profit = closing - opening - deposits + withdrawals - unbooked
      const rows = rowsOf({
        ...figures,
        opening_worth_usdc: usdcText(opening),
        closing_worth_usdc: usdcText(closing),
        deposits_usdc: usdcText(deposits),
        withdrawals_usdc: usdcText(withdrawals),
        unbooked_usdc: usdcText(unbooked),
        profit_usdc: usdcText(profit),
      })
      const lines = [
        'Worth at the beginning',
        'Deposits',
        'Withdrawals',
        'Sent to the address of the vault, not in its books',
        'Profit, less fees taken',
      ]
      const sum = lines.reduce((total, label) => total + baseUnits(rows.get(label)), 0n)
      expect(sum).toBe(baseUnits(rows.get('Worth at the end')))
    }),
  )
})

test('amounts keep every digit, with separated thousands, and unknown amounts stay unknown', () => {
  const rows = rowsOf(figures)
  expect(rows.get('Spent')).toBe('1,234,567.500000')
  expect(rows.get('Received')).toBe('0.000001')
  expect(rows.get('Withdrawals')).toBe('0.000000')
  expect(rows.get('Worth at the end')).toBeNull()
})

test('all amounts of a statement have two decimals if each is whole cents, else six', () => {
  const decimalsOf = (received: string) =>
    new Set(
      sectionsOf({ ...figures, received_usdc: received }, null)
        .flatMap(({ rows }) => rows)
        .filter(({ kind, value }) => kind === 'usdc' && value !== null)
        .map(({ value }) => value?.split('.')[1]?.length),
    )
  expect(decimalsOf('300')).toEqual(new Set([2]))
  expect(decimalsOf('3.41913')).toEqual(new Set([6]))
})

test('a statement has a section of the leg if money moved there or is there, and none otherwise', () => {
  const titles = (changed: Partial<typeof figures> & { readonly closing_leg_usdc?: string | null }) =>
    sectionsOf({ ...figures, ...changed }, null).map(({ title }) => title)
  expect(titles({})).toEqual(['Account, in USDC', 'Trading, in USDC', 'Limits'])
  expect(titles({ closing_leg_usdc: null })).toEqual(['Account, in USDC', 'Trading, in USDC', 'Limits'])
  const withLeg = ['Account, in USDC', 'Trading, in USDC', 'Leg, in USDC', 'Limits']
  expect(titles({ leg_orders: 1 })).toEqual(withLeg)
  for (const key of ['leg_funded_usdc', 'leg_returned_usdc', 'closing_leg_usdc'] as const)
    expect(titles({ [key]: '0.000001' })).toEqual(withLeg)
  const rows = rowsOf({ ...figures, leg_funded_usdc: '100', leg_returned_usdc: '90.5', closing_leg_usdc: null })
  expect(rows.get('From the vault to the leg')).toBe('100.000000')
  expect(rows.get('Back from the leg to the vault')).toBe('90.500000')
  expect(rows.get('Worth at the leg at the end')).toBeNull()
})

test('each kind of refusal is counted in words, or by its code if it has no words', () => {
  const rows = rowsOf(figures)
  expect([
    rows.get('Refused attempts'),
    rows.get('Above the cap of one transaction'),
    rows.get('another_kind'),
  ]).toEqual(['3', '2', '1'])
})

test('the proof has the head of the record, with its signature if there is one', () => {
  const head = { seq: 4, hash: 'ab'.repeat(32), jws: null }
  const item = {
    ...figures,
    public_id: `mdt_${'0'.repeat(32)}`,
    state: 'working',
    days: { counted: 2, inside_limits: 1 },
    record_head: head,
  } as Statement
  const rows = rowsOf(item, item)
  expect(rows.get('Days inside the limits')).toBe('1 of 2')
  expect(rows.get('SHA-256')).toBe(head.hash)
  expect(rows.get('Record')).not.toContain('signed')
  const signed = { ...item, record_head: { ...head, jws: 'a.b.c' } }
  expect(rowsOf(signed, signed).get('Record')).toContain('entry 4, signed')
})

test('what stayed owed of a leg has lines in the week in which the house ended it, and in no other', () => {
  const labels = ['Owed beyond that when the house ended the leg', 'Moved away and kept by the owner', 'Fee owed on it']
  const none = rowsOf({ ...figures, leg_returned_usdc: '400', leg_owed_usdc: '0', leg_fee_owed_usdc: '0' })
  expect(labels.filter((label) => none.has(label))).toEqual([])
  const ended = { leg_owed_usdc: '100.5', leg_kept_by_owner_usdc: '80', leg_fee_owed_usdc: '10.05' }
  const rows = rowsOf({ ...figures, spent_usdc: '1', received_usdc: '1', ...ended })
  expect(labels.map((label) => rows.get(label))).toEqual(['100.50', '80.00', '10.05'])
})
