import type { Limits } from '@svc/limits'
import { expect, test } from 'vitest'
import { limitsCodec, mandateBody } from './limit-schemas.ts'

const limits: Limits = {
  budget: 500_000_000n,
  perTxCap: 12_500_000n,
  dailyCap: 150_000_000n,
  stopLine: 0n,
  approvalAbove: null,
  markets: ['testvenue'],
  endsAt: new Date('2026-11-22T10:00:00.000Z'),
  feeBps: 1_000,
  hlLeg: false,
  legBudget: null,
  closeIfSilent: null,
  publicProof: false,
}
const wire = {
  budget_usdc: '500',
  per_tx_cap_usdc: '12.5',
  daily_cap_usdc: '150',
  stop_line_usdc: '0',
  approval_above_usdc: null,
  markets: ['testvenue'],
  ends_at: '2026-11-22T10:00:00.000Z',
  fee_bps: 1_000,
  hl_leg: false,
  leg_budget_usdc: null,
  close_if_silent_minutes: null,
  public_proof: false,
}

test('the codec converts limits to their answer and back', () => {
  expect(limitsCodec.encode(limits)).toEqual(wire)
  expect(limitsCodec.decode(wire)).toEqual(limits)
  const leg = { hl_leg: true, leg_budget_usdc: '0.000001', close_if_silent_minutes: 15 }
  const legLimits = { hlLeg: true, legBudget: 1n, closeIfSilent: 15 }
  expect(limitsCodec.encode({ ...limits, ...legLimits })).toEqual({ ...wire, ...leg })
  expect(limitsCodec.decode({ ...wire, ...leg })).toEqual({ ...limits, ...legLimits })
})

test.each([14, 10_081, 15.5, '60'])(
  'a body that closes positions of a silent agent after %s minutes is rejected',
  (at) => {
    const body = { ...wire, name: 'Weekend basis', hl_leg: true, close_if_silent_minutes: at }
    expect(mandateBody.safeParse(body).error?.issues.map(({ path }) => path)).toEqual([['close_if_silent_minutes']])
  },
)

test('the codec decodes a parsed body, whose time has any offset and whose members of the leg have defaults', () => {
  const { hl_leg: _leg, leg_budget_usdc: _budget, close_if_silent_minutes: _silent, ...given } = wire
  const body = mandateBody.parse({ ...given, name: 'Weekend basis', ends_at: '2026-11-22T19:00:00+09:00' })
  expect(limitsCodec.decode(body)).toEqual(limits)
})
