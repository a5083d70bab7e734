import { expect, test } from 'vitest'
import type { Limits } from '@svc/limits'
import { refusingItem, type Policy } from './policy.ts'

const limits: Limits = {
  budget: 500_000_000n,
  perTxCap: 50_000_000n,
  dailyCap: 150_000_000n,
  stopLine: 0n,
  approvalAbove: 40_000_000n,
  markets: ['testvenue'],
  endsAt: new Date(0),
  feeBps: 0,
  hlLeg: false,
  legBudget: null,
  closeIfSilent: null,
  publicProof: false,
}
const open: Policy = {
  accepts_mandates: true,
  max_open_mandates: null,
  max_budget_usdc: null,
  per_tx_cap_usdc: null,
  daily_cap_usdc: null,
  allowed_markets: null,
  approval_above_usdc: null,
}

test.each<[string, Partial<Policy>, Partial<Limits>]>([
  ['accepts_mandates', { accepts_mandates: false }, {}],
  ['max_open_mandates', { max_open_mandates: 2 }, {}],
  ['max_budget_usdc', { max_budget_usdc: '499.999999' }, {}],
  ['per_tx_cap_usdc', { per_tx_cap_usdc: '49' }, {}],
  ['daily_cap_usdc', { daily_cap_usdc: '0' }, {}],
  ['allowed_markets', { allowed_markets: [] }, {}],
  ['approval_above_usdc', { approval_above_usdc: '39' }, {}],
  ['approval_above_usdc', { approval_above_usdc: '39' }, { approvalAbove: null }],
])('the policy item %s refuses limits that exceed it', (item, policy, changed) => {
  expect(refusingItem({ ...open, ...policy }, { ...limits, ...changed }, 2)).toBe(item)
})

test.each<[Partial<Policy>]>([
  [{}],
  [{ max_open_mandates: 3, max_budget_usdc: '500', per_tx_cap_usdc: '50', daily_cap_usdc: '150' }],
  [{ allowed_markets: ['testvenue'], approval_above_usdc: '40' }],
])('a policy accepts limits within it: %j', (policy) => {
  expect(refusingItem({ ...open, ...policy }, limits, 2)).toBeNull()
})
