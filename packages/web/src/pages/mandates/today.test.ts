import fc from 'fast-check'
import { expect, test } from 'vitest'
import { usdcText } from '@svc/limits'
import { todayOf } from './today.ts'

const usage = (used: string, leg: string, held: string, reserved: string) => ({
  day: '2026-11-22',
  used_usdc: used,
  leg_used_usdc: leg,
  held_usdc: held,
  reserved_usdc: reserved,
  left_usdc: '0',
  resets_at: '2026-11-23T00:00:00.000Z',
})

test('the rail of today adds what vault and leg used, and what approvals and orders hold', () => {
  expect(todayOf(usage('75', '20', '50', '2.5'), '150')).toEqual({
    use: 0.633333,
    hold: 0.35,
    used: 95_000_000n,
    held: 52_500_000n,
    cap: 150_000_000n,
  })
})

test('the rail never passes its post, and a cap of zero draws nothing', () => {
  expect(todayOf(usage('0', '0', '0', '0'), '0')).toMatchObject({ use: 0, hold: 0 })
  const amount = fc.bigInt({ min: 0n, max: 10n ** 15n }).map(usdcText)
  fc.assert(
    fc.property(amount, amount, amount, amount, amount, (a, b, c, d, cap) => {
      const { use, hold } = todayOf(usage(a, b, c, d), cap)
      expect(use >= 0 && hold >= 0 && use + hold <= 1 + 1e-9).toBe(true)
    }),
  )
})
