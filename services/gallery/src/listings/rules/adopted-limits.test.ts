import { usdcUnits } from '@svc/contracts/common/usdc'
import {
  type EditableParam,
  type ListingTemplate,
  listingTemplate,
  type ParamKey,
} from '@svc/contracts/gallery/listings'
import type { AgentPolicy } from '@svc/contracts/identity/policy'
import { allowsMore, usdcText, type Limits } from '@svc/limits'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { adoptedLimits, type Adopted } from './adopted-limits.ts'
import { boundsOf, isOnGrid } from './params.ts'

const now = new Date('2026-11-22T10:00:00.400Z')
const open: AgentPolicy = {
  accepts_mandates: true,
  max_open_mandates: null,
  max_budget_usdc: null,
  per_tx_cap_usdc: null,
  daily_cap_usdc: null,
  allowed_markets: null,
  approval_above_usdc: null,
  daily_cherry_budget: null,
}
const template = (changed: Partial<ListingTemplate> = {}): ListingTemplate =>
  listingTemplate.parse({ markets: ['testvenue'], ...changed })
const param = (key: ParamKey, min: string, max: string, step: string, value: string): EditableParam => ({
  key,
  title: key,
  unit: 'usdc',
  min,
  max,
  step,
  default: value,
})
const adopt = (changed: Partial<Adopted>) =>
  adoptedLimits({ template: template(), params: [], given: {}, policy: open, now, ...changed })
const limitsOf = (changed: Partial<Adopted>): Limits => {
  const adoption = adopt(changed)
  if (adoption.kind !== 'limits') throw new Error(`no limits: ${JSON.stringify(adoption)}`)
  return adoption.limits
}

describe('a draft of an adopted template', () => {
  test('is of 50 USDC with the amounts of the template, and ends after its days', () => {
    expect(limitsOf({})).toMatchObject({
      budget: 50_000_000n,
      perTxCap: 5_000_000n,
      dailyCap: 15_000_000n,
      stopLine: 40_000_000n,
      approvalAbove: null,
      endsAt: new Date('2026-12-22T10:00:00.000Z'),
      hlLeg: false,
    })
  })

  test('takes the tighter of template and policy in every field', () => {
    const policy = {
      ...open,
      max_budget_usdc: '25',
      per_tx_cap_usdc: '2',
      daily_cap_usdc: '100',
      approval_above_usdc: '1',
      allowed_markets: ['testvenue'],
    }
    const both = template({ markets: ['hl:BTC', 'testvenue'] })
    expect(limitsOf({ policy, template: both })).toMatchObject({
      budget: 25_000_000n,
      perTxCap: 2_000_000n,
      dailyCap: 15_000_000n,
      // The same share of the budget: 40 of 50.
      stopLine: 20_000_000n,
      approvalAbove: 1_000_000n,
      markets: ['testvenue'],
      hlLeg: false,
    })
  })

  test('takes chosen params on their grid, and names those that are not', () => {
    const params = [param('per_tx_cap_usdc', '1', '10', '0.5', '5')]
    expect(limitsOf({ params, given: { per_tx_cap_usdc: '7.5' } }).perTxCap).toBe(7_500_000n)
    for (const value of ['0.5', '10.5', '7.25'])
      expect(adopt({ params, given: { per_tx_cap_usdc: value } })).toMatchObject({
        kind: 'params',
        errors: [{ pointer: '/params/per_tx_cap_usdc', code: 'out_of_bounds' }],
      })
    expect(adopt({ params, given: { days: '3' } })).toMatchObject({ errors: [{ code: 'unknown_param' }] })
  })

  test('is refused with the item of the policy that leaves no value within the bounds', () => {
    const params = [param('per_tx_cap_usdc', '5', '10', '1', '6')]
    const excluded = (changed: Partial<AgentPolicy>) => adopt({ params, policy: { ...open, ...changed } })
    expect(excluded({ per_tx_cap_usdc: '4.9' })).toEqual({
      kind: 'excluded',
      field: 'per_tx_cap_usdc',
      item: 'per_tx_cap_usdc',
    })
    expect(excluded({ daily_cap_usdc: '4' })).toMatchObject({ field: 'per_tx_cap_usdc', item: 'daily_cap_usdc' })
    expect(excluded({ max_budget_usdc: '3' })).toMatchObject({ field: 'per_tx_cap_usdc', item: 'max_budget_usdc' })
    expect(excluded({ allowed_markets: ['hl:BTC'] })).toMatchObject({ field: 'markets', item: 'allowed_markets' })
    expect(excluded({ accepts_mandates: false })).toMatchObject({ item: 'accepts_mandates' })
    expect(excluded({ per_tx_cap_usdc: '5.5' })).toMatchObject({ limits: { perTxCap: 5_000_000n } })
  })
})

/** A param whose default lies on its grid. */
const paramOf = (key: ParamKey, most: number) =>
  fc
    .record({ min: fc.integer({ min: 1, max: most - 1 }), step: fc.integer({ min: 1, max: 5 }) })
    .chain(({ min, step }) =>
      fc
        .record({ above: fc.integer({ min: 0, max: most - min }), chosen: fc.nat(60), usual: fc.nat(60) })
        .map(({ above, chosen, usual }) => {
          const steps = Math.floor(above / step)
          const at = (n: number) => String(min + (n % (steps + 1)) * step)
          return { ...param(key, String(min), String(min + above), String(step), at(usual)), chosen: at(chosen) }
        }),
    )
const amount = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 0, max: 80_000_000 }).map((units) => usdcText(BigInt(units))),
)
const policyOf = fc.record({
  accepts_mandates: fc.constant(true),
  max_open_mandates: fc.constant(null),
  max_budget_usdc: amount,
  per_tx_cap_usdc: amount,
  daily_cap_usdc: amount,
  allowed_markets: fc.constantFrom<string[] | null>(null, ['testvenue'], ['hl:BTC'], ['hl:BTC', 'testvenue'], []),
  approval_above_usdc: amount,
  daily_cherry_budget: fc.constant(null),
})
const adoptedOf = fc.record({
  template: fc
    .record({
      markets: fc.constantFrom(['testvenue'], ['hl:BTC'], ['testvenue', 'hl:BTC', 'hl:ETH']),
      per_tx_cap_usdc: fc.integer({ min: 1, max: 60 }).map(String),
      daily_cap_usdc: fc.integer({ min: 1, max: 60 }).map(String),
      stop_line_usdc: fc.integer({ min: 0, max: 49 }).map(String),
      approval_above_usdc: amount,
      days: fc.integer({ min: 1, max: 170 }),
      fee_bps: fc.integer({ min: 0, max: 3_000 }),
    })
    .map((values) => template({ ...values, markets: [...values.markets] })),
  params: fc
    .tuple(
      paramOf('per_tx_cap_usdc', 50),
      paramOf('daily_cap_usdc', 50),
      paramOf('stop_line_usdc', 49),
      paramOf('approval_above_usdc', 50),
    )
    .chain((all) => fc.subarray(all)),
  policy: fc.option(policyOf),
  isGiven: fc.boolean(),
})

test('a draft is never outside the bounds, never looser than the template or the policy, and always one that can be signed', () => {
  fc.assert(
    fc.property(adoptedOf, ({ template: given, params, policy, isGiven }) => {
      const chosen = isGiven ? Object.fromEntries(params.map(({ key, chosen: value }) => [key, value])) : {}
      const adoption = adoptedLimits({ template: given, params, given: chosen, policy, now })
      if (adoption.kind !== 'limits') return
      const { limits } = adoption
      const values = {
        per_tx_cap_usdc: limits.perTxCap,
        daily_cap_usdc: limits.dailyCap,
        stop_line_usdc: limits.stopLine,
        approval_above_usdc: limits.approvalAbove,
      }
      for (const one of params) {
        const value = values[one.key as keyof typeof values]
        const wanted = usdcUnits(chosen[one.key] ?? one.default)
        expect(value !== null && isOnGrid(boundsOf(one), value)).toBe(true)
        if (one.key !== 'stop_line_usdc') expect((value ?? 0n) <= wanted).toBe(true)
      }
      expect(limits.budget <= 50_000_000n && limits.perTxCap > 0n).toBe(true)
      expect(limits.perTxCap <= limits.dailyCap && limits.dailyCap <= limits.budget).toBe(true)
      expect(limits.stopLine < limits.budget || limits.stopLine === 0n).toBe(true)
      expect(limits.approvalAbove === null || limits.approvalAbove <= limits.perTxCap).toBe(true)
      expect(limits.markets.every((id) => given.markets.includes(id))).toBe(true)
      const line = params.find(({ key }) => key === 'stop_line_usdc')
      const suggested = usdcUnits(
        line === undefined ? given.stop_line_usdc : (chosen['stop_line_usdc'] ?? line.default),
      )
      expect(limits.stopLine * 50_000_000n >= suggested * limits.budget).toBe(true)
      if (policy === null) return
      const bound = (text: string | null) => (text === null ? null : usdcUnits(text))
      expect(allowsMore('budget', limits.budget, bound(policy.max_budget_usdc))).toBe(false)
      expect(allowsMore('perTxCap', limits.perTxCap, bound(policy.per_tx_cap_usdc))).toBe(false)
      expect(allowsMore('dailyCap', limits.dailyCap, bound(policy.daily_cap_usdc))).toBe(false)
      expect(allowsMore('approvalAbove', limits.approvalAbove, bound(policy.approval_above_usdc))).toBe(false)
      expect(allowsMore('markets', limits.markets, policy.allowed_markets)).toBe(false)
    }),
    { numRuns: 5_000, seed: 17 },
  )
})
