import { MINUTE } from '../feed.ts'
import { normal, uniform } from '../hash.ts'
import { CRASH_BLOCK, crashOf, DAY, HOUR, type Chances, type Crash } from './life.ts'
import type { Slot } from './slots.ts'

const OCTAVES = 17
const RECENT = 4
const HOURS = 32
const BLOCKS_FELT = 3
const MARKET_SERIES = 0

/**
 * Prices in USD as a function of the minute: octaves of noise whose sum wanders like a random walk, the market's own
 * octaves times beta, and crashes, around the level of `levelOf`. Any minute is computed directly; a few values per slot are cached.
 */
export interface Prices {
  /** USD price at the begin of a minute. */
  readonly at: (slot: Slot, minute: number) => number
  /** The same at the begin of an hour, kept for a day. */
  readonly atHour: (slot: Slot, hour: number) => number
  /** Effect of a crash on the slot at a minute: 0 without a crash, 1 at its lowest point. */
  readonly stress: (slot: Slot, minute: number) => number
}

/** The indexes of `slots` follow one another; a slot has the same prices in whatever list it stands. */
export function createPrices(
  seed: number,
  slots: readonly Slot[],
  levelOf: (slot: Slot, minute: number) => number,
  crashChance: number,
): Prices {
  const first = slots[0]?.index ?? 0
  const crashesOf = (slot: Slot, minute: number) => feltCrashes({ seed, chance: crashChance }, slot, minute)
  const ofMarket = createNoise(seed, MARKET_SERIES, 1)
  const noise = createNoise(seed, first + 1, slots.length)
  const market = kept(1, RECENT, (_, minute) => ofMarket(0, minute, 0.02))
  const compute = (place: number, minute: number): number => {
    const slot = slots[place]
    if (!slot) throw new RangeError('no such slot')
    const own = noise(place, minute, slot.volatility)
    return levelOf(slot, minute) * Math.exp(own + slot.beta * market(0, minute) + fallOf(crashesOf(slot, minute)))
  }
  const recent = kept(slots.length, RECENT, compute)
  const hourly = kept(slots.length, HOURS, (place, hour) => compute(place, hour * 60))
  return {
    at: (slot, minute) => recent(slot.index - first, minute),
    atHour: (slot, hour) => hourly(slot.index - first, hour),
    stress: (slot, minute) => {
      let stress = 0
      for (const { crash, since } of crashesOf(slot, minute)) {
        const ramp = Math.min(1, since / crash.rampMs)
        stress = Math.max(stress, ramp * Math.exp(-Math.max(0, since - crash.rampMs) / (3 * HOUR)))
      }
      return stress
    },
  }
}

/** A function of (index, time) that remembers its latest `size` times for each index. */
function kept(count: number, size: number, compute: (index: number, time: number) => number) {
  const values = new Float64Array(count * size)
  const times = new Float64Array(count * size).fill(Number.NaN)
  return (index: number, time: number): number => {
    const place = index * size + (((time % size) + size) % size)
    if (times[place] !== time) {
      values[place] = compute(index, time)
      times[place] = time
    }
    return values[place] ?? Number.NaN
  }
}

/**
 * Returns the noise of the series `first + place` at a minute, of every scale from a minute to 45 days; `volatility` is the
 * deviation of a day's change. Series 0 is the market, series n + 1 is slot n. The two knots around the latest minute are
 * kept, because minutes are mostly asked for in order.
 */
function createNoise(seed: number, first: number, count: number) {
  const knots = new Float64Array(count * OCTAVES).fill(Number.NaN)
  const here = new Float64Array(count * OCTAVES)
  const next = new Float64Array(count * OCTAVES)
  return (nth: number, minute: number, volatility: number): number => {
    let sum = 0
    let amplitude = volatility * 0.0135
    for (let octave = 0; octave < OCTAVES; octave += 1) {
      const place = minute / 2 ** octave
      const knot = Math.floor(place)
      const share = place - knot
      const at = nth * OCTAVES + octave
      if (knots[at] !== knot) {
        const salt = (first + nth - 1) * 32 + octave
        here[at] = knots[at] === knot - 1 ? (next[at] ?? 0) : normal(seed, salt, knot)
        next[at] = normal(seed, salt, knot + 1)
        knots[at] = knot
      }
      sum += amplitude * ((here[at] ?? 0) * (1 - share) + (next[at] ?? 0) * share)
      amplitude *= Math.SQRT2
    }
    return sum
  }
}

interface Felt {
  readonly crash: Crash
  /** Milliseconds since its begin. */
  readonly since: number
}

function feltCrashes(given: { readonly seed: number; readonly chance: number }, slot: Slot, minute: number): Felt[] {
  const at = minute * MINUTE
  const block = Math.floor(at / CRASH_BLOCK)
  const felt: Felt[] = []
  for (let back = 0; back < BLOCKS_FELT; back += 1) {
    const crash = crashOf(given.seed, slot, block - back, given.chance)
    if (crash && at > crash.at) felt.push({ crash, since: at - crash.at })
  }
  return felt
}

function fallOf(felt: readonly Felt[]): number {
  let fall = 0
  for (const { crash, since } of felt) {
    // Half comes back within days, the rest in weeks: what remains beyond the blocks that are felt is below 2 %.
    const left = 0.5 * Math.exp(-since / DAY) + 0.5 * Math.exp(-since / (5 * DAY))
    fall -= crash.drop * Math.min(1, since / crash.rampMs) * left
  }
  return fall
}

const GAP_BLOCK = 360

/** Returns the log deviation of a venue's price from the others: a few basis points, with occasional gaps for minutes. */
export function basisOf(
  { seed, chances }: { readonly seed: number; readonly chances: Chances },
  market: number,
  minute: number,
  spreadBps: number,
): number {
  const place = minute / 16
  const knot = Math.floor(place)
  const share = place - knot
  const drift = normal(seed, market, knot) * (1 - share) + normal(seed, market, knot + 1) * share
  const block = Math.floor(minute / GAP_BLOCK)
  let gap = 0
  if (uniform(seed, market, block, 60) < chances.gap) {
    const start = block * GAP_BLOCK + Math.floor(300 * uniform(seed, market, block, 61))
    const length = 5 + Math.floor(35 * uniform(seed, market, block, 62))
    const size = 0.006 + 0.02 * uniform(seed, market, block, 63)
    if (minute >= start && minute < start + length) gap = uniform(seed, market, block, 64) < 0.5 ? size : -size
  }
  return drift * Math.min(0.003, spreadBps * 0.000_03) + gap
}
