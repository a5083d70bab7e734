import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crosses, planMarks, type Valued } from './plan-marks.ts'

const NOW = 1_800_000_000n
const rules = { minDeltaBps: 50, maxAgeSec: 3_600, now: NOW }
const amount = fc.bigInt({ min: 0n, max: 1_000_000_000n })
const age = fc.oneof(fc.bigInt({ min: 0n, max: 200n }), fc.bigInt({ min: 0n, max: 8_000n }))
const valued: fc.Arbitrary<Valued> = fc.record({
  open: fc.boolean(),
  stopLine: amount,
  principal: amount,
  lastWorth: amount,
  markedAt: age.map((seconds) => (seconds % 5n === 0n ? 0n : NOW - seconds)),
  worth: fc.option(amount),
  asOf: age.map((seconds) => NOW - seconds),
})

test('no mark goes to a closed vault, one that was not paid in above its line, one without a worth, or with an older reading', () => {
  fc.assert(
    fc.property(fc.array(valued), (vaults) => {
      for (const one of planMarks(vaults, rules)) {
        expect(one.open).toBe(true)
        expect(one.worth).not.toBeNull()
        expect(one.principal > one.stopLine).toBe(true)
        expect(one.asOf > one.markedAt).toBe(true)
        expect(NOW - one.asOf <= 3_600n).toBe(true)
      }
    }),
  )
})

test('a crossing is due by a block of the last two minutes, and a change of the minimum or more by any', () => {
  fc.assert(
    fc.property(fc.array(valued), (vaults) => {
      const due = new Set(planMarks(vaults, rules))
      for (const one of vaults) {
        const { open, principal, stopLine, asOf, markedAt, worth, lastWorth } = one
        if (!open || worth === null || principal <= stopLine || asOf <= markedAt || NOW - asOf > 3_300n) continue
        const change = worth > lastWorth ? worth - lastWorth : lastWorth - worth
        const moved = change > 0n && change * 10_000n >= lastWorth * 50n
        expect(due.has(one)).toBe(
          crosses(one) ? NOW - asOf <= 120n : moved || markedAt === 0n || asOf - markedAt >= 3_600n,
        )
      }
    }),
  )
})

test('crossings come first, then the rest by their distance to the line', () => {
  fc.assert(
    fc.property(fc.array(valued), (vaults) => {
      const planned = planMarks(vaults, rules)
      const distance = ({ worth, stopLine }: Valued) =>
        worth === null || worth === 0n ? (stopLine > 0n ? -Infinity : 1) : 1 - Number(stopLine) / Number(worth)
      for (let at = 1; at < planned.length; at++) {
        const [before, after] = [planned[at - 1], planned[at]]
        if (before === undefined || after === undefined) continue
        if (!crosses(before)) expect(crosses(after)).toBe(false)
        expect(distance(before) <= distance(after) + 1e-9).toBe(true)
      }
    }),
  )
})
