import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeRun, type CloseEnd } from './judge-run.ts'

const end = fc.oneof(
  fc.record({
    kind: fc.constantFrom('filled' as const, 'partial' as const),
    size: fc.constant('1'),
    averagePrice: fc.constant('2'),
  }),
  fc.record({ kind: fc.constant('unknown' as const) }),
  fc.record({ kind: fc.constant('passing' as const), reason: fc.string() }),
  fc.record({ kind: fc.constant('refused' as const), reason: fc.constantFrom('agent', 'minimum') }),
)

test('a run that leaves a position is repeated, or names the refusals, and never both or neither', () => {
  fc.assert(
    fc.property(fc.array(end), fc.option(fc.nat(3)), (ends: CloseEnd[], left) => {
      const { transient, refused } = judgeRun(ends, left)
      if (left === 0) expect({ transient, refused }).toEqual({ transient: false, refused: [] })
      else expect(transient).toBe(refused.length === 0)
      expect(new Set(refused).size).toBe(refused.length)
    }),
    { seed: 20261122 },
  )
})

test('positions that could not be read count as left', () => {
  expect(judgeRun([{ kind: 'filled', size: '1', averagePrice: '2' }], null).transient).toBe(true)
})
