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
}

test('the codec converts limits to their answer and back', () => {
  expect(limitsCodec.encode(limits)).toEqual(wire)
  expect(limitsCodec.decode(wire)).toEqual(limits)
})

test('the codec decodes a parsed body, whose time has any offset and whose leg has a default', () => {
  const { hl_leg: _leg, ...given } = wire
  const body = mandateBody.parse({ ...given, name: 'Weekend basis', ends_at: '2026-11-22T19:00:00+09:00' })
  expect(limitsCodec.decode(body)).toEqual(limits)
})
