import fc from 'fast-check'
import { expect, test } from 'vitest'
import { confirmed, crosses, isAbove, lowestFirst, silentSince, type LineReading } from './crossing.ts'

const reading = (worth: bigint | null, steady = true): LineReading => ({ worth, steady })

test('the line is crossed at it and below it, never when it is off', () => {
  expect(crosses(reading(400n), 400n)).toBe(true)
  expect(crosses(reading(401n), 400n)).toBe(false)
  expect(crosses(reading(0n), 0n)).toBe(false)
})

const anyReading = fc.record({ worth: fc.option(fc.bigInt({ min: 0n, max: 1_000n })), steady: fc.boolean() })
const anyLine = fc.bigInt({ min: 0n, max: 1_000n })

test('two readings confirm a crossing only if both are known, steady and at or below the line', () => {
  fc.assert(
    fc.property(anyReading, anyReading, anyLine, (first, second, line) => {
      const expected =
        line > 0n && [first, second].every(({ worth, steady }) => steady && worth !== null && worth <= line)
      expect(confirmed(first, second, line)).toBe(expected)
    }),
    { seed: 20261122 },
  )
})

test('a reading that is unknown or not steady is neither at the line nor above it', () => {
  fc.assert(
    fc.property(anyReading, anyLine, (one, line) => {
      const counts = one.steady && one.worth !== null
      expect(Number(crosses(one, line)) + Number(isAbove(one, line))).toBe(counts ? 1 : 0)
    }),
    { seed: 20261122 },
  )
})

test('the leg that is furthest below its line comes first, and no more than the maximum', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ state: fc.record({ reading: anyReading }), line: anyLine })),
      fc.integer({ min: 1, max: 20 }),
      (legs, max) => {
        const sorted = lowestFirst(legs, max)
        expect(sorted.length).toBe(Math.min(max, legs.length))
        const distances = sorted.map(({ state, line }) => (state.reading.worth ?? line) - line)
        for (const [index, next] of distances.slice(1).entries()) expect((distances[index] ?? 0n) <= next).toBe(true)
      },
    ),
    { seed: 20261122 },
  )
})

test('an agent is silent after the agreed minutes since it acted or since the owner bound the leg', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 22, 10, minute))
  expect(silentSince(15, [at(0)], at(14))).toBeNull()
  expect(silentSince(15, [at(0)], at(15))).toEqual(at(15))
  expect(silentSince(15, [at(0), at(10)], at(24))).toBeNull()
  expect(silentSince(15, [at(10), at(0)], at(25))).toEqual(at(25))
})
