import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { settle, type Settled } from './hysteresis.ts'

const shownOf = (values: readonly (string | null)[]) => {
  let state: Settled<string | null> | null = null
  return values.map((value) => (state = settle(state, value)).shown)
}

describe('hysteresis', () => {
  it('changes the shown value only after two consecutive differing computations', () => {
    expect(shownOf(['A', 'B', 'A', 'B', 'B', 'A', 'C'])).toEqual(['A', 'A', 'A', 'A', 'B', 'B', 'C'])
  })

  it('shows a change from or to unknown at once', () => {
    expect(shownOf([null, 'A', null, 'B'])).toEqual([null, 'A', null, 'B'])
  })

  it('never changes in two consecutive computations while the value is known', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('A', 'B', 'C'), { minLength: 3 }), (values) => {
        const shown = shownOf(values)
        for (let at = 2; at < shown.length; at += 1)
          if (shown[at - 1] !== shown[at - 2]) expect(shown[at]).toBe(shown[at - 1])
      }),
    )
  })
})
