/** The shown value, and how many consecutive computations differed from it. */
export interface Settled<T> {
  readonly shown: T
  readonly differing: number
}

/** Consecutive differing computations after which the shown value changes. */
const DIFFERING_MAX = 2

/**
 * Changes the shown value after two consecutive computations that differ from it, so that a value at a threshold does not
 * flicker. The first value is shown at once; so is a change from or to unknown.
 */
export function settle<T extends string>(before: Settled<T | null> | null, computed: T | null): Settled<T | null> {
  if (before === null || before.shown === null || computed === null) return settledAt(computed)
  if (computed === before.shown) return settledAt(before.shown)
  const differing = before.differing + 1
  return differing >= DIFFERING_MAX ? settledAt(computed) : { shown: before.shown, differing }
}

// One shared object per value: a board has a hundred thousand of them, which would otherwise be a tenth of its memory.
const settledOnes = new Map<string | null, Settled<string | null>>()

/** Returns a settled value; equal values are the same object. */
export function settledAt<T extends string>(shown: T | null): Settled<T | null> {
  const known = settledOnes.get(shown)
  if (known !== undefined) return known as Settled<T | null>
  const settled = Object.freeze({ shown, differing: 0 })
  settledOnes.set(shown, settled)
  return settled
}
