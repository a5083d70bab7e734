/**
 * The statistics of docs/method/hall.md a second time, as plainly as the text says them and with nothing of the product:
 * plain loops over points in USDC, every choice of weights, every resampled history written out, an integral in place of a
 * series.
 */

export interface NaivePoint {
  readonly worth: number
  readonly paidIn: number
  readonly paidOut: number
}
export interface NaiveMandate {
  /** By day, oldest first, beginning with day 0; a day may have no point. */
  readonly days: readonly { readonly points: readonly NaivePoint[]; readonly foreign: boolean }[]
}
export interface NaiveFigures {
  readonly change: number | null
  readonly drawdown: number | null
  readonly low: number | null
  readonly high: number | null
}

interface Rating {
  readonly start: number
  readonly peak: number
  readonly result: number
}

/** Rates each day of a mandate; null for a day that is not rated. */
function ratingsOf({ days }: NaiveMandate): (Rating | null)[] {
  let from: NaivePoint = { worth: 0, paidIn: 0, paidOut: 0 }
  return days.map(({ points, foreign }) => {
    let factor = 1
    let peak = 0
    let start = 0
    for (const [at, to] of points.entries()) {
      const inflow = to.paidIn - from.paidIn
      const outflow = to.paidOut - from.paidOut
      const profit = to.worth + outflow - (from.worth + inflow)
      const enough = from.worth >= 25 || from.paidIn - from.paidOut >= 25
      let base = 0
      if (from.worth > 0 && enough) {
        base = profit < 0 ? from.worth : from.worth + inflow
        if (at === 0) start = from.worth
      } else if (from.worth + inflow >= 25 && (from.worth === 0 || profit <= 0)) base = from.worth + inflow
      if (base > 0) {
        factor *= Math.max(0, 1 + profit / base)
        peak = Math.max(peak, from.worth + inflow)
      }
      from = to
    }
    if (peak === 0) return null
    return { start, peak, result: (foreign ? Math.min(1, factor) : factor) - 1 }
  })
}

/** Returns the lowest weighted mean that any choice of start or peak as weights gives. */
function lowestMean(ratings: readonly Rating[]): number {
  let lowest = Number.POSITIVE_INFINITY
  for (let choice = 0; choice < 2 ** ratings.length; choice += 1) {
    let sum = 0
    let weights = 0
    for (const [at, { start, peak, result }] of ratings.entries()) {
      const weight = Math.floor(choice / 2 ** at) % 2 === 1 ? peak : start
      sum += weight * result
      weights += weight
    }
    if (weights > 0) lowest = Math.min(lowest, sum / weights)
  }
  return lowest
}

/** Returns the figures of an agent over its last days. */
export function naiveFigures(
  mandates: readonly NaiveMandate[],
  { agentId, siblings, last }: { readonly agentId: number; readonly siblings: number; readonly last: number | null },
): NaiveFigures {
  const rated = mandates.map(ratingsOf)
  const length = Math.max(0, ...rated.map((days) => days.length))
  const results: number[] = []
  for (let day = last === null ? 0 : Math.max(0, length - last); day < length; day += 1) {
    const ofDay = rated.flatMap((days) => days[day] ?? [])
    if (ofDay.length > 0) results.push(lowestMean(ofDay))
  }
  if (results.length === 0) return { change: null, drawdown: null, low: null, high: null }
  const indices = [1]
  for (const result of results) indices.push((indices.at(-1) ?? 1) * (1 + result))
  let drawdown = 0
  for (const [at, index] of indices.entries()) {
    const top = Math.max(...indices.slice(0, at + 1))
    if (top > 0) drawdown = Math.max(drawdown, (top - index) / top)
  }
  return { change: (indices.at(-1) ?? 1) - 1, drawdown, ...naiveInterval(results, agentId, siblings) }
}

function naiveInterval(results: readonly number[], seed: number, siblings: number) {
  const n = results.length
  if (n < 14) return { low: null, high: null }
  const logs = results.map((result) => Math.log(Math.max(0.000001, 1 + result)))
  const block = Math.ceil(Math.round(Math.cbrt(n) * 1e9) / 1e9)
  const random = mulberry(seed)
  const totals: number[] = []
  for (let sample = 0; sample < 1_000; sample += 1) {
    const history: number[] = []
    while (history.length < n) {
      const from = Math.floor((random() / 2 ** 32) * n)
      for (let at = 0; at < block && history.length < n; at += 1) history.push(logs[(from + at) % n] ?? 0)
    }
    totals.push(history.reduce((sum, log) => sum + log, 0))
  }
  totals.sort((a, b) => a - b)
  const observed = logs.reduce((sum, log) => sum + log, 0)
  const stretch = naiveStretch(n, block, siblings)
  const below = Math.max(0, observed - between(totals, 0.05))
  const above = Math.max(0, between(totals, 0.95) - observed)
  return { low: Math.exp(observed - below * stretch) - 1, high: Math.exp(observed + above * stretch) - 1 }
}

/** mulberry32 with products of 16-bit halves. */
function mulberry(seed: number): () => number {
  const product = (a: number, b: number) => ((((a >>> 16) * b) << 16) + (a & 0xffff) * b) >>> 0
  const multiply = (a: number, b: number) => {
    const low = (b & 0xffff) >>> 0
    const high = b >>> 16
    return (product(a, low) + ((product(a, high) << 16) >>> 0)) >>> 0
  }
  let state = seed % 2 ** 32
  return () => {
    state = (state + 1_831_565_813) % 2 ** 32
    let value = multiply((state ^ (state >>> 15)) >>> 0, (state | 1) >>> 0)
    value = (value ^ ((value + multiply((value ^ (value >>> 7)) >>> 0, (value | 61) >>> 0)) >>> 0)) >>> 0
    return (value ^ (value >>> 14)) >>> 0
  }
}

function between(values: readonly number[], share: number): number {
  const place = share * 999
  const [a = 0, b = 0] = values.slice(Math.floor(place), Math.floor(place) + 2)
  return a * (1 - (place % 1)) + b * (place % 1)
}

const stretches = new Map<string, number>()
function naiveStretch(n: number, block: number, siblings: number): number {
  const degrees = Math.max(3, Math.floor(n / block) - 1)
  const confidence = Math.exp(Math.log(0.9) / (1 + siblings))
  const key = `${degrees} ${siblings}`
  const t = stretches.get(key) ?? tQuantile(confidence, degrees)
  stretches.set(key, t)
  return (t / 1.6448536269514722) * Math.sqrt(n / (n - block))
}

/** Returns the t between whose negative and itself the density has `share` of its area, by Simpson's rule. */
function tQuantile(share: number, degrees: number): number {
  // With t = √ν · tan a the density becomes a power of the cosine, which is smooth on a bounded interval.
  const height = (angle: number) => Math.cos(angle) ** (degrees - 1)
  const area = (to: number) => {
    const steps = 2_000
    let sum = height(0) + height(to)
    for (let at = 1; at < steps; at += 1) sum += height((to * at) / steps) * (at % 2 === 1 ? 4 : 2)
    return (sum * to) / steps / 3
  }
  const whole = area(Math.PI / 2)
  let low = 0
  let high = Math.PI / 2
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2
    if (area(middle) / whole < share) low = middle
    else high = middle
  }
  return Math.sqrt(degrees) * Math.tan((low + high) / 2)
}
