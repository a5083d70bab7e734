import type { MarketObservation } from '@svc/market-data/crisis/rules/crisis-market'
import { seededRandom } from '../calibrate/statistics.ts'
import type { Replay } from './replay.ts'

const MINUTE_MS = 60_000
const DAY = 1_440
const DAYS = 3
const PAIRS = 100
const SEED = 20_260_901
const BEGIN = Date.parse('2026-09-01T00:00:00.000Z')
/** Length of an episode, and of the slide into it where it has one. */
const EPISODE_MINUTES = 60
const SLIDE_MINUTES = 30

/** What happens to a made-up pair: factors of its usual depth and spread after so many minutes, and whether it is flagged. */
interface Shape {
  readonly name: string
  readonly depth: (minutes: number) => number
  readonly spread: (minutes: number) => number
  readonly flagged: boolean
}
const one = () => 1
const slide = (to: number) => (minutes: number) => to ** Math.min(1, minutes / SLIDE_MINUTES)

/** The made-up episodes, written down before the rules were run on them. */
const shapes: readonly Shape[] = [
  { name: 'depth falls to 15 % at once', depth: () => 0.15, spread: one, flagged: false },
  { name: 'depth falls to 10 % within 30 minutes', depth: slide(0.1), spread: one, flagged: false },
  { name: 'spread grows tenfold at once', depth: one, spread: () => 10, flagged: false },
  { name: 'spread grows tenfold within 30 minutes', depth: one, spread: slide(10), flagged: false },
  { name: 'a notice', depth: one, spread: one, flagged: true },
]

/** A made-up pair: its usual book, its noise, and its episode if it has one. */
interface Pair {
  readonly id: string
  readonly depthUsd: number
  readonly spreadBps: number
  readonly phase: number
  readonly shape: Shape | null
  /** Minute in which the episode begins. */
  readonly at: number
  /** Slow parts of the noise, in logarithms. */
  drift: { depth: number; spread: number }
}

const RHO = 0.98
const SLOW = { depth: 0.35, spread: 0.3 }
const FAST = { depth: 0.15, spread: 0.2 }
const DAILY = 0.4

/** A made-up market with the name of each pair's episode, and when it begins. */
export interface Synthetic extends Replay {
  readonly episodes: ReadonlyMap<string, { readonly name: string; readonly atMs: number }>
}

/**
 * Two made-up markets of equal noise: the book of each pair is read every minute, as of a target, or every fifth minute, as
 * of any other pair. Half of the pairs have an episode. The noise is chosen, not measured.
 */
export const syntheticMarkets = (): Synthetic[] => [
  market('a book each minute', 1),
  market('a book each fifth minute', 5),
]

function market(name: string, everyMinutes: number): Synthetic {
  const random = seededRandom(SEED)
  const pairs = Array.from({ length: PAIRS }, (_, place): Pair => ({
    id: `made up ${place}`,
    depthUsd: 1e4 * 10 ** (2 * random()),
    spreadBps: 8 * 10 ** random(),
    phase: random() * 2 * Math.PI,
    shape: place % 2 === 0 ? null : (shapes[((place - 1) / 2) % shapes.length] ?? null),
    at: DAY + Math.floor(random() * (DAYS * DAY - DAY - EPISODE_MINUTES)),
    drift: { depth: 0, spread: 0 },
  }))
  const begun = pairs.flatMap(({ id, shape, at }) =>
    shape === null ? [] : [[id, { name: shape.name, atMs: BEGIN + at * MINUTE_MS }] as const],
  )
  const steps = function* (): Generator<MarketObservation[]> {
    for (let minute = 0; minute < DAYS * DAY; minute += 1)
      yield pairs.map((pair, place) => observed(pair, minute, (minute + place) % everyMinutes === 0, random))
  }
  return {
    name: `made up, ${name}`,
    kind: 'synthetic',
    from: new Date(BEGIN + DAY * MINUTE_MS).toISOString(),
    to: new Date(BEGIN + DAYS * DAY * MINUTE_MS).toISOString(),
    pairs: PAIRS,
    stepMinutes: 1,
    inDanger: new Set(begun.map(([id]) => id)),
    steps: { [Symbol.iterator]: steps },
    episodes: new Map(begun),
  }
}

/** The sum of twelve numbers, whose variance is 1. */
function normal(random: () => number): number {
  let sum = -6
  for (let draw = 0; draw < 12; draw += 1) sum += random()
  return sum
}

function observed(pair: Pair, minute: number, booked: boolean, random: () => number): MarketObservation {
  const noise = (kind: 'depth' | 'spread') => {
    pair.drift[kind] = RHO * pair.drift[kind] + SLOW[kind] * Math.sqrt(1 - RHO ** 2) * normal(random)
    return Math.exp(pair.drift[kind] + FAST[kind] * normal(random))
  }
  const [depthNoise, spreadNoise] = [noise('depth'), noise('spread')]
  const daily = Math.exp(DAILY * Math.sin((minute / DAY) * 2 * Math.PI + pair.phase))
  const since = minute - pair.at
  const shape = since >= 0 && since < EPISODE_MINUTES ? pair.shape : null
  const depth = pair.depthUsd * depthNoise * daily * (shape?.depth(since) ?? 1)
  const flagged = shape?.flagged === true
  return {
    id: pair.id,
    group: 'made up',
    atMs: BEGIN + minute * MINUTE_MS,
    priceUsd: 1,
    candlePrices: null,
    book: {
      depth2pctUsd: booked ? depth : null,
      depthIsLowerBound: false,
      spreadBps: pair.spreadBps * spreadNoise * (shape?.spread(since) ?? 1),
      synthetic: false,
    },
    trades: 1,
    halted: null,
    peggedToUsd: false,
    referencePriceUsd: null,
    flags: flagged ? [{ flag: 'a notice', meaning: 'caution' }] : [],
  }
}
