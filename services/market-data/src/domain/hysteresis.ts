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
export function settle<T>(before: Settled<T | null> | null, computed: T | null): Settled<T | null> {
  if (before === null || before.shown === null || computed === null) return { shown: computed, differing: 0 }
  if (computed === before.shown) return { shown: before.shown, differing: 0 }
  const differing = before.differing + 1
  return differing >= DIFFERING_MAX ? { shown: computed, differing: 0 } : { shown: before.shown, differing }
}
