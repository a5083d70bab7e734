import { midRankPercentiles } from '@svc/market-data/board/rules/mid-rank'

/** Returns a source of uniform numbers in [0, 1) that depend on the seed alone (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface Labelled {
  readonly score: number
  readonly event: boolean
}

/** Returns the area under the ROC curve: the chance that an event scores above a non-event, ties counting half. */
export function areaUnderCurve(points: readonly Labelled[]): number {
  const ranks = midRankPercentiles(points.map(({ score }) => score))
  const events = points.filter(({ event }) => event).length
  const others = points.length - events
  const rankSum = points.reduce((sum, { event }, index) => (event ? sum + (ranks[index] ?? 0) * points.length : sum), 0)
  return (rankSum - (events * events) / 2) / (events * others)
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN

/** Returns the 95 % percentile interval of a statistic under resampling, which draws events and others separately. */
export function bootstrapInterval<T extends { readonly event: boolean }>(
  points: readonly T[],
  statistic: (resampled: readonly T[]) => number,
  { rounds = 2000, seed = 1 } = {},
): [low: number, high: number] {
  const random = seededRandom(seed)
  const strata = [points.filter(({ event }) => event), points.filter(({ event }) => !event)]
  const values = Array.from({ length: rounds }, () =>
    statistic(strata.flatMap((stratum) => stratum.flatMap(() => stratum[Math.floor(random() * stratum.length)] ?? []))),
  ).toSorted((a, b) => a - b)
  return [quantile(values, 0.025), quantile(values, 0.975)]
}

/** Returns the chance of an AUC at least as high when labels are shuffled; never below 1 ÷ (rounds + 1). */
export function permutationP(points: readonly Labelled[], { rounds = 5000, seed = 2 } = {}): number {
  const random = seededRandom(seed)
  const observed = areaUnderCurve(points)
  const labels = points.map(({ event }) => event)
  let atLeast = 1
  for (let round = 0; round < rounds; round += 1) {
    for (let last = labels.length - 1; last > 0; last -= 1) {
      const other = Math.floor(random() * (last + 1))
      ;[labels[last], labels[other]] = [labels[other] ?? false, labels[last] ?? false]
    }
    if (areaUnderCurve(points.map(({ score }, index) => ({ score, event: labels[index] ?? false }))) >= observed)
      atLeast += 1
  }
  return atLeast / (rounds + 1)
}

/** A step of the fit: from `fromScore` up to the next step the fitted share of events is `share`. */
export interface IsotonicStep {
  readonly fromScore: number
  readonly share: number
  readonly n: number
}

/** Fits a non-decreasing function by least squares: pools adjacent violators. */
export function fitIsotonic(points: readonly Labelled[]): IsotonicStep[] {
  const blocks: { fromScore: number; events: number; n: number }[] = []
  for (const { score, event } of points.toSorted((a, b) => a.score - b.score)) {
    const last = blocks.at(-1)
    if (last && last.fromScore === score) {
      last.events += event ? 1 : 0
      last.n += 1
    } else blocks.push({ fromScore: score, events: event ? 1 : 0, n: 1 })
  }
  const pooled: typeof blocks = []
  for (const block of blocks) {
    pooled.push(block)
    for (;;) {
      const [before, last] = pooled.slice(-2)
      if (!before || !last || before.events / before.n < last.events / last.n) break
      pooled.splice(-2, 2, { fromScore: before.fromScore, events: before.events + last.events, n: before.n + last.n })
    }
  }
  return pooled.map(({ fromScore, events, n }) => ({ fromScore, share: events / n, n }))
}

/** Returns the fitted share at a score; below the first step the share of the first. */
export const isotonicShare = (steps: readonly IsotonicStep[], score: number): number =>
  (steps.findLast(({ fromScore }) => fromScore <= score) ?? steps[0])?.share ?? NaN

/** Returns the mean squared error of forecasts; lower is better. */
export const brier = (points: readonly { readonly forecast: number; readonly event: boolean }[]): number =>
  points.reduce((sum, { forecast, event }) => sum + (forecast - (event ? 1 : 0)) ** 2, 0) / points.length

export const median = (values: readonly number[]): number | null => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}

/** Returns the 95 % Wilson score interval of a share of events (Wilson 1927); 0 to 1 without any case. */
export function shareInterval(events: number, n: number): [low: number, high: number] {
  if (n === 0) return [0, 1]
  const z = 1.959964
  const share = events / n
  const centre = share + (z * z) / (2 * n)
  const half = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n))
  const scale = 1 + (z * z) / n
  return [Math.max(0, (centre - half) / scale), Math.min(1, (centre + half) / scale)]
}
