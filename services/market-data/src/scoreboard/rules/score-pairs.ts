/** A pair of a snapshot: its rank, and whether it was delisted within the days that count. */
export interface RankedPair {
  readonly rank: number
  readonly delisted: boolean
}

/** What the ranks of a snapshot were worth. */
export interface PairsScore {
  readonly pairs: number
  readonly delisted: number
  /** Chance that a delisted pair ranked above another one, equal ranks counted half; null below `DELISTED_MIN` or without others. */
  readonly auc: number | null
  readonly top: { readonly pairs: number; readonly delisted: number }
}

/** Delisted pairs below which no rate is stated. */
export const DELISTED_MIN = 5

/** Returns what the ranks of a snapshot were worth. Defined in this form before the first month was over. O(n log n). */
export function scorePairs(given: readonly RankedPair[]): PairsScore {
  const falling = given.toSorted((a, b) => b.rank - a.rank)
  const [pairs, delisted] = [given.length, given.filter((one) => one.delisted).length]
  const others = pairs - delisted
  // Of each run of equal ranks, the delisted ones beat the others below it, and half of those within it.
  let [won, othersAbove] = [0, 0]
  for (const [, same] of Map.groupBy(falling, ({ rank }) => rank)) {
    const out = same.filter((one) => one.delisted).length
    const stayed = same.length - out
    won += out * (others - othersAbove - stayed / 2)
    othersAbove += stayed
  }
  const least = falling[Math.ceil(pairs / 10) - 1]?.rank ?? Infinity
  const top = falling.filter(({ rank }) => rank >= least)
  return {
    pairs,
    delisted,
    auc: delisted < DELISTED_MIN || others === 0 ? null : won / (delisted * others),
    top: { pairs: top.length, delisted: top.filter((one) => one.delisted).length },
  }
}

const WEEK_DAYS = 7

/** Returns the episodes of a month per 100 pairs and week, to three decimals; null if no pair was watched. */
export function perPairsWeek({
  episodes,
  pairs,
  days,
}: {
  readonly episodes: number
  readonly pairs: number
  readonly days: number
}): number | null {
  return pairs === 0 || days === 0 ? null : Math.round((episodes * 100_000 * WEEK_DAYS) / (pairs * days)) / 1_000
}
