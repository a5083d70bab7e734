import { studentQuantile } from './student.ts'

/** Days below which no interval is given. */
export const INTERVAL_DAYS_MIN = 14
/** Resampled histories. */
const RESAMPLES = 1_000
/** Share of the interval: 90 %. */
const CONFIDENCE = 0.9
/** 95 % quantile of the normal distribution, to which the resampled one is compared. */
const NORMAL_95 = 1.6448536269514722
/** A day that lost more counts as this much, since the logarithm of nothing is none. */
const LEAST = 1e-6

/** Ends of an interval of a change, as fractions. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** Returns the length of a block: the cube root of the number of days, rounded up. */
export const blockLength = (days: number): number => {
  let length = 1
  while (length ** 3 < days) length += 1
  return length
}

/**
 * Returns by how much the resampled interval is stretched. Few blocks tell little about the spread, for which Student's t
 * with a degree of freedom less than there are blocks stands; circular blocks see too little of it, by length ÷ days; and
 * the best of many agents is lucky, for which the confidence holds for all 1 + siblings at once (Šidák).
 */
export function stretchOf(days: number, siblings: number): number {
  const length = blockLength(days)
  const each = CONFIDENCE ** (1 / (1 + siblings))
  const degrees = Math.max(3, Math.floor(days / length) - 1)
  return (studentQuantile(1 - (1 - each) / 2, degrees) / NORMAL_95) * Math.sqrt(days / (days - length))
}

/**
 * Returns the 90 % interval of the change that days like these give, by a circular block bootstrap of their logarithms
 * (Politis and Romano 1992), stretched around the observed change. `seed` is the agent's id, so that the same days give
 * the same interval. Null below 14 days.
 */
export function intervalOf(results: readonly number[], seed: number, siblings: number): Interval | null {
  const days = results.length
  if (days < INTERVAL_DAYS_MIN) return null
  const length = blockLength(days)
  // Sums of the days before each, around the circle, so that the sum of a block is a difference.
  const sums = new Float64Array(days + length + 1)
  for (let at = 0; at < days + length; at += 1)
    sums[at + 1] = (sums[at] ?? 0) + Math.log(Math.max(LEAST, 1 + (results[at % days] ?? 0)))
  const observed = sums[days] ?? 0
  const resampled = resample(sums, { days, length, seed })
  const stretch = stretchOf(days, siblings)
  const low = observed - Math.max(0, observed - quantile(resampled, (1 - CONFIDENCE) / 2)) * stretch
  const high = observed + Math.max(0, quantile(resampled, (1 + CONFIDENCE) / 2) - observed) * stretch
  return { low: Math.expm1(low), high: Math.expm1(high) }
}

/** Returns the sums of resampled histories, in no order. */
function resample(
  sums: Float64Array,
  { days, length, seed }: { readonly days: number; readonly length: number; readonly seed: number },
): Float64Array {
  const blocks = Math.floor(days / length)
  const rest = days - blocks * length
  const whole = blockSums(sums, days, length)
  const cut = blockSums(sums, days, rest)
  const found = new Float64Array(RESAMPLES)
  let state = seed >>> 0
  for (let sample = 0; sample < RESAMPLES; sample += 1) {
    let sum = 0
    for (let block = rest === 0 ? 1 : 0; block <= blocks; block += 1) {
      // mulberry32: the sequence is part of the method, so that everybody finds the same interval.
      state = (state + 0x6d2b79f5) >>> 0
      let mixed = Math.imul(state ^ (state >>> 15), state | 1)
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
      const from = Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * days)
      sum += (block < blocks || rest === 0 ? whole[from] : cut[from]) ?? 0
    }
    found[sample] = sum
  }
  return found
}

/** Returns the sum of the days of a block by its first day. */
const blockSums = (sums: Float64Array, days: number, length: number): Float64Array =>
  Float64Array.from({ length: days }, (_, from) => (sums[from + length] ?? 0) - (sums[from] ?? 0))

/** Returns a quantile of values, between its neighbours by their distance. Reorders the values. */
function quantile(values: Float64Array, share: number): number {
  const place = share * (values.length - 1)
  const below = Math.floor(place)
  const low = selected(values, below)
  if (below + 1 >= values.length) return low
  let next = Number.POSITIVE_INFINITY
  for (let at = below + 1; at < values.length; at += 1) next = Math.min(next, values[at] ?? next)
  return low + (next - low) * (place - below)
}

/**
 * Returns the value that sorting would put at a place, by Hoare's selection, which costs a tenth of sorting. No value after
 * that place is smaller afterwards.
 */
function selected(values: Float64Array, place: number): number {
  let first = 0
  let last = values.length - 1
  while (first < last) {
    const pivot = values[(first + last) >> 1] ?? 0
    let low = first
    let high = last
    while (low <= high) {
      while ((values[low] ?? 0) < pivot) low += 1
      while ((values[high] ?? 0) > pivot) high -= 1
      if (low > high) break
      const moved = values[low] ?? 0
      values[low] = values[high] ?? 0
      values[high] = moved
      low += 1
      high -= 1
    }
    if (place <= high) last = high
    else if (place >= low) first = low
    else break
  }
  return values[place] ?? 0
}
