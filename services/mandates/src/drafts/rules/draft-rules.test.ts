import { describe, expect, test } from 'vitest'
import { draftProblems } from './draft-rules.ts'
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
}
const problems = (changed: Partial<Limits>, hlLegEnabled = true) =>
  draftProblems({ ...limits, ...changed }, { now, markets, hlLegEnabled }).map(
    ({ pointer, code }) => `${pointer} ${code}`,
  )

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
    ['with a market of the leg', { markets: ['testvenue', 'hl:ETH'], hlLeg: true }],
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
    ['/markets/0 market_planned', { markets: ['hl:BTC'], hlLeg: true }],
    ['/markets/0 needs_leg', { markets: ['hl:ETH'] }],
    ['/hl_leg needs_leg_market', { hlLeg: true }],
  ])('report %s', (expected, changed) => {
    expect(problems(changed)).toEqual([expected])
  })

  test('reject a leg while the leg is switched off', () => {
    expect(problems({ markets: ['hl:ETH'], hlLeg: true }, false)).toEqual(['/hl_leg leg_disabled'])
  })

  test('report every broken rule at once, with the allowed values', () => {
    const found = draftProblems(
      { ...limits, dailyCap: 600_000_000n, feeBps: 9000 },
      { now, markets, hlLegEnabled: true },
    )
    expect(found.map(({ detail }) => detail)).toEqual([
      'must be at most budget_usdc, which is 500',
      'must be at most 3000, which is 30 % of the profit',
    ])
  })
})
