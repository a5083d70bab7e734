import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AgentPolicy } from '@svc/contracts/identity/policy'
import { allowsAnything, changesOf, formOf, policyItems, readForm, typedItems } from './policy.ts'

const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null })
const usdc = fc
  .tuple(fc.nat(900), fc.constantFrom('', '.5', '.000001'))
  .map(([whole, fraction]) => `${whole}${fraction}`)
const policy: fc.Arbitrary<AgentPolicy> = fc.record({
  accepts_mandates: fc.boolean(),
  max_open_mandates: orNull(fc.nat(3)),
  max_budget_usdc: orNull(usdc),
  per_tx_cap_usdc: orNull(usdc),
  daily_cap_usdc: orNull(usdc),
  allowed_markets: orNull(fc.subarray(['hl:BTC', 'hl:ETH', 'testvenue'])),
  approval_above_usdc: orNull(usdc),
  daily_cherry_budget: orNull(fc.nat(3)),
})
const base: AgentPolicy = {
  accepts_mandates: true,
  max_open_mandates: 2,
  max_budget_usdc: '500',
  per_tx_cap_usdc: '50',
  daily_cap_usdc: '150',
  allowed_markets: ['hl:BTC', 'testvenue'],
  approval_above_usdc: '40',
  daily_cherry_budget: 10,
}

test('each item of the policy is told as tightened or widened by the least step', () => {
  const steps: readonly (readonly [keyof AgentPolicy, unknown, unknown])[] = [
    ['max_open_mandates', 1, 3],
    ['max_budget_usdc', '499.999999', '500.000001'],
    ['per_tx_cap_usdc', '0', null],
    ['daily_cap_usdc', '149', '151'],
    ['allowed_markets', ['testvenue'], ['hl:BTC', 'hl:ETH', 'testvenue']],
    ['approval_above_usdc', '0', null],
    ['daily_cherry_budget', 9, 11],
  ]
  for (const [item, tighter, wider] of steps) {
    expect(changesOf(base, { ...base, [item]: tighter })).toMatchObject([{ item, direction: 'tighten' }])
    expect(changesOf(base, { ...base, [item]: wider })).toMatchObject([{ item, direction: 'widen' }])
  }
  expect(changesOf(base, { ...base, accepts_mandates: false })).toMatchObject([{ direction: 'tighten' }])
  expect(changesOf(base, { ...base, allowed_markets: ['hl:ETH'] })).toMatchObject([{ direction: 'mixed' }])
  expect(changesOf({ ...base, allowed_markets: null }, base)).toMatchObject([{ direction: 'tighten' }])
})

test('the reverse of a change has the reverse direction, and an equal policy has no change', () => {
  const back = { tighten: 'widen', widen: 'tighten', mixed: 'mixed' } as const
  fc.assert(
    fc.property(policy, policy, (one, other) => {
      expect(changesOf(one, one)).toEqual([])
      const there = changesOf(one, other)
      expect(changesOf(other, one).map(({ item, direction }) => [item, direction])).toEqual(
        there.map(({ item, direction }) => [item, back[direction]]),
      )
    }),
  )
})

test('a change that only tightens needs no second question, any other does', () => {
  expect(allowsAnything(changesOf(base, { ...base, daily_cap_usdc: '10', accepts_mandates: false }))).toBe(false)
  expect(allowsAnything(changesOf(base, { ...base, daily_cap_usdc: '10', per_tx_cap_usdc: '51' }))).toBe(true)
  expect(allowsAnything(changesOf(base, { ...base, allowed_markets: ['hl:ETH'] }))).toBe(true)
})

test('a form that nobody changed is the policy itself', () => {
  fc.assert(
    fc.property(policy, (one) => {
      const read = readForm(formOf(one))
      expect(read.faults).toBeNull()
      expect(changesOf(one, read.policy as AgentPolicy)).toEqual([])
    }),
  )
  expect(policyItems).toHaveLength(8)
})

test('an empty field sets no limit, zero allows nothing, and a text that is no value is named', () => {
  const form = formOf(base)
  expect(readForm({ ...form, daily_cap_usdc: '' }).policy?.daily_cap_usdc).toBeNull()
  expect(readForm({ ...form, daily_cap_usdc: '0' }).policy?.daily_cap_usdc).toBe('0')
  expect(readForm({ ...form, daily_cap_usdc: '1,250.50' }).policy?.daily_cap_usdc).toBe('1250.5')
  for (const item of typedItems)
    for (const text of ['-1', '1e3', 'ten', '0x10', '1.0000001'])
      expect(readForm({ ...form, [item]: text }).faults).toEqual({ [item]: expect.any(String) })
  expect(readForm({ ...form, max_open_mandates: '1.5' }).faults).toEqual({ max_open_mandates: 'count' })
})
