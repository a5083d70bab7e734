/** A value that is shown, and how often in a row another one was computed. */
export interface Settled<T> {
  readonly shown: T
  readonly differing: number
}

/** Computations in a row that must differ from what is shown before it changes. */
const DIFFERING_MAX = 2

/**
 * Shows a newly computed value once two computations in a row differ from what is shown, so that a value at a threshold
 * does not flicker. The first value is shown at once, and so is the first after or before an unknown one.
 */
export function settle<T extends string>(before: Settled<T | null> | null, computed: T | null): Settled<T | null> {
  if (before === null || before.shown === null || computed === null) return settledAt(computed)
  if (computed === before.shown) return settledAt(before.shown)
  const differing = before.differing + 1
  return differing >= DIFFERING_MAX ? settledAt(computed) : { shown: before.shown, differing }
}

// One for each word there is. A board has a hundred thousand of them: an object each would be a tenth of its memory.
const settledOnes = new Map<string | null, Settled<string | null>>()

/** A value from which nothing differs; equal ones are one object. */
export function settledAt<T extends string>(shown: T | null): Settled<T | null> {
  const known = settledOnes.get(shown)
  if (known !== undefined) return known as Settled<T | null>
  const settled = Object.freeze({ shown, differing: 0 })
  settledOnes.set(shown, settled)
  return settled
}
