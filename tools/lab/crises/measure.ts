import { stepMarket } from '@svc/market-data/crisis/rules/crisis-market'
import {
  CRISIS_RULES,
  marketReturn,
  measureCrash,
  measureDepeg,
  measureDepth,
  measureGap,
  measureNotice,
  measureSpread,
  type CrisisRule,
} from '@svc/market-data/crisis/rules/crisis-rules'
import { newCrisisState, return60m, silenceStrength, type CrisisState } from '@svc/market-data/crisis/rules/crisis'
import type { MarketObservation } from '@svc/market-data/crisis/rules/crisis-market'
import type { Replay } from './replay.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** After so many minutes below its threshold a condition has ended; a later one is another condition. */
const ENDED_AFTER = 15

/** An alert that a replay opened. */
export interface Opened {
  readonly rule: CrisisRule
  readonly id: string
  readonly atMs: number
  /** Minutes from the first minute of the condition, which the prices alone show, to the minute of the alert. */
  readonly delayMinutes: number
  readonly inDanger: boolean
  /** Change of the price over the 24 hours before the alert, a fraction; null if the recording begins later. */
  readonly change24h: number | null
}

/** What the rules did on one recording. */
export interface Judged {
  readonly replay: Replay
  readonly opened: readonly Opened[]
  /** Minutes in which a rule could judge a pair that is not in danger, by rule, summed over the pairs. */
  readonly minutes: Readonly<Record<CrisisRule, number>>
  /** Pair-minutes of pairs not in danger with an open alert, and all of them. */
  readonly shown: { readonly alerted: number; readonly all: number }
}

/** Since when the condition of a rule has held for a pair, and when it last did. */
interface Condition {
  since: number
  last: number
}

/** What is kept of a replay while it is judged. */
interface Course {
  readonly replay: Replay
  readonly states: Map<string, CrisisState>
  readonly conditions: Map<string, Condition>
  /** Price of each pair by the time of its step. */
  readonly prices: Map<string, Map<number, number | null>>
}

/** Lets the rules judge a recording step by step, as the service does, and measures the conditions beside them. */
export function judge(replay: Replay): Judged {
  const course: Course = { replay, states: new Map(), conditions: new Map(), prices: new Map() }
  const minutes = Object.fromEntries(CRISIS_RULES.map((rule) => [rule, 0])) as Record<CrisisRule, number>
  const opened: Opened[] = []
  const shown = { alerted: 0, all: 0 }
  for (const step of replay.steps) {
    for (const [id, rule] of measured(course, step)) if (!isInDanger(replay, id)) minutes[rule] += replay.stepMinutes
    for (const { id, state, opened: episodes } of stepMarket(course.states, step)) {
      course.states.set(id, state)
      const atMs = (state.minute ?? 0) * MINUTE_MS
      if (atMs < Date.parse(replay.from)) continue
      if (!isInDanger(replay, id)) {
        shown.all += replay.stepMinutes
        if (Object.values(state.rules).some((rule) => rule?.episode)) shown.alerted += replay.stepMinutes
      }
      opened.push(...episodes.map(({ rule }) => alertOf(course, id, rule, atMs)))
    }
  }
  return { replay, opened, minutes, shown }
}

/** Notes prices and conditions of a step; returns what its rules could judge since the recording is measured. */
function measured({ replay, states, conditions, prices }: Course, step: readonly MarketObservation[]) {
  const known: [id: string, rule: CrisisRule][] = []
  const strengths = strengthsOf(states, step)
  for (const [place, { id, atMs, priceUsd }] of step.entries()) {
    const own = prices.get(id) ?? new Map<number, number | null>()
    prices.set(id, own.set(atMs, priceUsd))
    for (const rule of CRISIS_RULES) {
      const strength = strengths[place]?.[rule] ?? null
      if (strength === null) continue
      if (atMs >= Date.parse(replay.from)) known.push([id, rule])
      if (strength >= 1) note(conditions, `${id} ${rule}`, atMs, replay.stepMinutes)
    }
  }
  return known
}

function alertOf({ replay, conditions, prices }: Course, id: string, rule: CrisisRule, atMs: number): Opened {
  const since = conditions.get(`${id} ${rule}`)?.since ?? atMs
  const [now, before] = [prices.get(id)?.get(atMs) ?? null, prices.get(id)?.get(atMs - DAY_MS) ?? null]
  return {
    rule,
    id,
    atMs,
    delayMinutes: (atMs - since) / MINUTE_MS,
    inDanger: isInDanger(replay, id),
    change24h: now === null || before === null ? null : now / before - 1,
  }
}

const isInDanger = ({ kind, inDanger }: Replay, id: string) => kind !== 'calm' && inDanger.has(id)

function note(conditions: Map<string, Condition>, key: string, atMs: number, stepMinutes: number): void {
  const known = conditions.get(key)
  const goesOn = known !== undefined && atMs - known.last <= Math.max(ENDED_AFTER, stepMinutes) * MINUTE_MS
  conditions.set(key, { since: goesOn ? known.since : atMs, last: atMs })
}

/** Returns the strength of each rule before any waiting, warming up or rest; null if unknown. */
function strengthsOf(
  states: ReadonlyMap<string, CrisisState>,
  step: readonly MarketObservation[],
): Partial<Record<CrisisRule, number | null>>[] {
  const stateOf = (id: string) => states.get(id) ?? newCrisisState()
  const returns = step.map(({ id, atMs, priceUsd, candlePrices }) =>
    return60m(stateOf(id), atMs, priceUsd, candlePrices),
  )
  const byGroup = Map.groupBy(step.keys(), (place) => step[place]?.group ?? '')
  const medians = new Map(
    [...byGroup].map(([group, places]) => [group, marketReturn(places.map((place) => returns[place] ?? null))]),
  )
  return step.map((seen, place) => ({
    crash: measureCrash(returns[place] ?? null, medians.get(seen.group) ?? null).strength,
    halt: silenceStrength(stateOf(seen.id), seen.trades),
    depeg: measureDepeg({ ...seen, marketReturn60m: null }).strength,
    cross_venue_gap: measureGap({ ...seen, marketReturn60m: null }).strength,
    liquidity_withdrawal: measureDepth(seen.book, stateOf(seen.id).depth.baseline).strength,
    spread_blowout: measureSpread(seen.book, stateOf(seen.id).spread.baseline).strength,
    official_notice: measureNotice(seen.flags, stateOf(seen.id).flags, false).strength,
  }))
}
