import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draftProblems, type RuleContext } from './draft-rules.ts'
import { withLegBudget } from './leg-rules.ts'
import type { Limits } from '@svc/limits'

const now = new Date('2026-11-21T10:00:00.000Z')
const markets = [
  { market_id: 'testvenue', status: 'paper' },
  { market_id: 'hl:BTC', status: 'planned' },
  { market_id: 'hl:ETH', status: 'live' },
] as const
const limits: Limits = {
  budget: 500_000_000n,
  perTxCap: 50_000_000n,
  dailyCap: 150_000_000n,
  stopLine: 400_000_000n,
  approvalAbove: 40_000_000n,
  markets: ['testvenue'],
  endsAt: new Date('2026-12-31T00:00:00.000Z'),
  feeBps: 1000,
  hlLeg: false,
  legBudget: null,
  closeIfSilent: null,
  publicProof: false,
}
const rules: RuleContext = { now, markets, hlLegEnabled: true, legFunding: true, legMin: 6_000_000n }
const problems = (changed: Partial<Limits>, context: Partial<RuleContext> = {}) =>
  draftProblems({ ...limits, ...changed }, { ...rules, ...context }).map(({ pointer, code }) => `${pointer} ${code}`)
/** With a leg of 100 USDC. */
const leg = { markets: ['testvenue', 'hl:ETH'], hlLeg: true, legBudget: 100_000_000n } as const

describe('the rules of limits', () => {
  test.each<[string, Partial<Limits>]>([
    ['as in the example', {}],
    ['with all caps equal', { perTxCap: 500_000_000n, dailyCap: 500_000_000n, approvalAbove: 500_000_000n }],
    ['without stop line', { stopLine: 0n }],
    ['with an approval for every call', { approvalAbove: 0n }],
    ['without approvals', { approvalAbove: null }],
    ['with the highest fee', { feeBps: 3000 }],
    ['ending in exactly an hour', { endsAt: new Date('2026-11-21T11:00:00.000Z') }],
    ['ending in exactly 365 days', { endsAt: new Date('2027-11-21T10:00:00.000Z') }],
    ['with a market of the leg', leg],
    ['with markets of the leg only', { ...leg, markets: ['hl:ETH'] }],
    ['with the smallest leg', { ...leg, legBudget: 6_000_000n }],
    ['with the whole budget at the leg', { ...leg, legBudget: 500_000_000n }],
    ['that close positions of a silent agent', { ...leg, closeIfSilent: 15 }],
    ['with a leg, ending in exactly 170 days', { ...leg, endsAt: new Date('2027-05-10T10:00:00.000Z') }],
  ])('accept limits %s', (_name, changed) => {
    expect(problems(changed)).toEqual([])
  })

  test.each<[string, Partial<Limits>]>([
    ['/per_tx_cap_usdc too_small', { perTxCap: 0n, approvalAbove: null }],
    ['/per_tx_cap_usdc too_large', { perTxCap: 150_000_001n }],
    ['/daily_cap_usdc too_large', { dailyCap: 500_000_001n }],
    ['/stop_line_usdc too_large', { stopLine: 500_000_000n }],
    ['/approval_above_usdc too_large', { approvalAbove: 50_000_001n }],
    ['/ends_at too_early', { endsAt: new Date('2026-11-21T10:59:59.000Z') }],
    ['/ends_at too_early', { endsAt: new Date('2020-01-01T00:00:00.000Z') }],
    ['/ends_at too_late', { endsAt: new Date('2027-11-21T10:00:01.000Z') }],
    ['/ends_at not_whole_second', { endsAt: new Date('2026-12-31T00:00:00.500Z') }],
    ['/fee_bps too_large', { feeBps: 3001 }],
    ['/markets too_few', { markets: [] }],
    ['/markets/1 unknown_market', { markets: ['testvenue', 'nowhere'] }],
    ['/markets/0 market_planned', { ...leg, markets: ['hl:BTC'] }],
    ['/markets/0 needs_leg', { markets: ['hl:ETH'] }],
    ['/hl_leg needs_leg_market', { hlLeg: true }],
    ['/ends_at too_late', { ...leg, endsAt: new Date('2027-05-10T10:00:01.000Z') }],
    ['/leg_budget_usdc required', { ...leg, legBudget: null }],
    ['/leg_budget_usdc too_small', { ...leg, legBudget: 5_999_999n }],
    ['/leg_budget_usdc too_large', { ...leg, legBudget: 500_000_001n }],
    ['/leg_budget_usdc needs_leg', { legBudget: 0n }],
    ['/close_if_silent_minutes needs_leg', { closeIfSilent: 60 }],
  ])('report %s', (expected, changed) => {
    expect(problems(changed)).toEqual([expected])
  })

  test('reject a leg while the leg is switched off', () => {
    expect(problems(leg, { hlLegEnabled: false })).toEqual(['/hl_leg leg_disabled'])
  })

  test('report every broken rule at once, with the allowed values', () => {
    const found = draftProblems({ ...limits, dailyCap: 600_000_000n, feeBps: 9000 }, rules)
    expect(found.map(({ detail }) => detail)).toEqual([
      'must be at most budget_usdc, which is 500',
      'must be at most 3000, which is 30 % of the profit',
    ])
  })
})

describe('while leg funding is off', () => {
  const off = { legFunding: false }
  test('a leg has no budget and needs a market of a contract', () => {
    expect(problems({ ...leg, legBudget: 0n }, off)).toEqual([])
    expect(problems(leg, off)).toEqual(['/leg_budget_usdc leg_funding_off'])
    expect(problems({ ...leg, legBudget: 0n, markets: ['hl:ETH'] }, off)).toEqual(['/markets needs_contract_market'])
  })
})

describe('the budget of the leg that a draft does not set', () => {
  const given = fc.record({
    budget: fc.bigInt({ min: 1n, max: 1_000_000_000n }),
    markets: fc.subarray(['testvenue', 'hl:ETH', 'hl:BTC'], { minLength: 1 }),
    hlLeg: fc.boolean(),
    legBudget: fc.option(fc.bigInt({ min: 0n, max: 1_000_000_000n })),
  })

  test('is the budget for a leg alone, zero without leg funding, else unset; a set one is kept', () => {
    fc.assert(
      fc.property(given, fc.boolean(), (changed, legFunding) => {
        const { legBudget, ...others } = withLegBudget({ ...limits, ...changed }, legFunding)
        const { legBudget: asked, ...same } = { ...limits, ...changed }
        expect(others).toEqual(same)
        const alone = !changed.markets.includes('testvenue')
        const follows = legFunding ? (alone ? changed.budget : null) : 0n
        expect(legBudget).toBe(asked ?? (changed.hlLeg ? follows : null))
      }),
    )
  })

  test('is never one that the rules accept above the budget, below the minimum, or without a leg', () => {
    fc.assert(
      fc.property(given, fc.boolean(), (changed, legFunding) => {
        const drafted = withLegBudget(
          { ...limits, perTxCap: 1n, dailyCap: 1n, stopLine: 0n, approvalAbove: null, ...changed },
          legFunding,
        )
        const context = {
          ...rules,
          legFunding,
          markets: markets.map((market) => ({ ...market, status: 'live' as const })),
        }
        if (draftProblems(drafted, context).length > 0) return
        const { hlLeg, legBudget, budget } = drafted
        if (!hlLeg) expect(legBudget).toBeNull()
        else if (legFunding) expect(legBudget !== null && legBudget >= 6_000_000n && legBudget <= budget).toBe(true)
        else expect(legBudget).toBe(0n)
      }),
    )
  })
})
