import type { NotJudgedReason } from '@svc/contracts/market-data/crisis'
import {
  CALM_BELOW,
  CRISIS_RULES,
  measureCrash,
  measureDepeg,
  measureDepth,
  measureGap,
  measureHalt,
  measureNotice,
  measureSpread,
  RULE_TIMINGS,
  type CandlePrices,
  type CrisisObservation,
  type CrisisRule,
  type Measure,
} from './crisis-rules.ts'
import { addToDay, emptyDay, type RollingDay } from '#markets/rules/rolling-day.ts'

const minuteMs = 60_000
const closeAfterMinutes = 15
const returnMinutes = 60

/**
 * If the rule of an open episode cannot be judged for this time, the episode ends as `unknown`. Longer than most failures and
 * maintenance of a venue, so that a crisis is not over because its venue fails; within the day for which checkpoints are kept.
 */
export const UNKNOWN_MINUTES = 12 * 60

/** A rule that was not judged for so many minutes is reported. Books are read every five minutes. */
const NOT_JUDGED_MINUTES = 10

/** Minutes of prices that the crash rule needs: after a listing the price settles first. */
const crashWarmUpMinutes = 120

/** If the price an hour ago is missing, a price that is this much younger is used. */
const returnToleranceMinutes = 5

export interface CrisisEpisode {
  readonly rule: CrisisRule
  readonly openedAtMs: number
  /** Highest severity so far: 1 from the threshold, 2 from 1.5 times, 3 from twice the threshold. */
  readonly severity: 1 | 2 | 3
  readonly peakStrength: number
  /** Inputs of the rule in the minute that opened the episode. */
  readonly inputs: Measure['inputs']
}

export interface ClosedEpisode extends CrisisEpisode {
  readonly closedAtMs: number
  /** `ended`: the token instance was delisted. `unknown`: the rule could not be judged for `UNKNOWN_MINUTES`. */
  readonly reason: 'recovered' | 'ended' | 'unknown'
}

/** An open episode in the minute in which its severity rose. */
export interface WorsenedEpisode extends CrisisEpisode {
  readonly atMs: number
  /** Inputs of the rule in that minute. */
  readonly inputsNow: Measure['inputs']
}

/** What the rule of an open episode read in a minute. */
export interface JudgedEpisode {
  readonly rule: CrisisRule
  readonly atMs: number
  readonly strength: number
  readonly inputs: Measure['inputs']
}

/** A rule that cannot be judged at present. */
export interface NotJudged {
  readonly rule: CrisisRule
  readonly reason: NotJudgedReason
  /** First minute of the present stretch, Unix time in milliseconds. */
  readonly sinceMs: number
}

interface RuleState {
  /** Whether the rule held, newest minute in the lowest bit. */
  readonly held: number
  readonly calmMinutes: number
  readonly closedMinute: number | null
  /** Last minute in which the rule was judged; missing in states that were stored without it. */
  readonly judgedMinute?: number
  readonly episode: CrisisEpisode | null
}

/** State of one token, about 5 KB of plain data that can be stored. */
export interface CrisisState {
  /** First and last minute seen; null before the first. */
  readonly sinceMinute: number | null
  readonly minute: number | null
  /** First minute for which a candle of the venue was read, if that is earlier; missing if none was. */
  readonly tradedSinceMinute?: number
  /** One price a minute, oldest first, at most 61; null where a minute was missed. */
  readonly prices: readonly (number | null)[]
  readonly depth: RollingDay
  readonly spread: RollingDay
  readonly silence: RollingDay
  readonly silentMinutes: number | null
  readonly flags: readonly string[] | null
  readonly rules: Readonly<Partial<Record<CrisisRule, RuleState>>>
}

export interface CrisisStep {
  readonly state: CrisisState
  readonly opened: readonly CrisisEpisode[]
  /** Open episodes whose severity rose. */
  readonly worsened: readonly WorsenedEpisode[]
  readonly closed: readonly ClosedEpisode[]
  /** Episodes that were open before this minute and whose rules it judged, also those that it closed. */
  readonly judged: readonly JudgedEpisode[]
  /** Rules that say nothing about this minute and those before it; null for a minute that changes nothing. */
  readonly notJudged: readonly NotJudged[] | null
}

const quietRule: RuleState = { held: 0, calmMinutes: 0, closedMinute: null, episode: null }

/** Returns the state of a new token. `flags` are the flags already published; with null the first observed flags count as published. */
export function newCrisisState(flags: readonly string[] | null = null): CrisisState {
  return {
    sinceMinute: null,
    minute: null,
    prices: [],
    depth: emptyDay('median'),
    spread: emptyDay('median'),
    silence: emptyDay('mean'),
    silentMinutes: null,
    flags,
    rules: {},
  }
}

/**
 * Returns the return over the last 60 minutes if `priceUsd` is the price at `atMs`; null without a price an hour ago. Where none
 * was observed, the price of the venue's candle counts.
 */
export function return60m(
  state: CrisisState,
  atMs: number,
  priceUsd: number | null,
  candles: CandlePrices | null,
): number | null {
  if (priceUsd === null) return null
  const hourAgo = Math.floor(atMs / minuteMs) - returnMinutes
  for (let minute = hourAgo; minute <= hourAgo + returnToleranceMinutes; minute += 1) {
    const price = priceAt(state, minute) ?? candlePriceAt(candles, minute)
    if (price !== null && price > 0) return priceUsd / price - 1
  }
  return null
}

/** Returns the observed price of a minute; the last price of a state belongs to its last minute. */
const priceAt = ({ prices, minute: last }: CrisisState, minute: number): number | null =>
  last === null ? null : (prices[prices.length - 1 - (last - minute)] ?? null)

const candlePriceAt = (candles: CandlePrices | null, minute: number): number | null =>
  candles?.priceUsd[minute - candles.firstMinute] ?? null

/** Returns the strength of a halt by silence if this minute has `trades`; 1 is the threshold, null is unknown. */
export function silenceStrength(state: CrisisState, trades: number | null): number | null {
  const minutes = trades === null ? null : silentFor(state, trades)
  return measureHalt(false, false, minutes, state.silence.baseline).strength
}

/** Ends the open episodes whose rules have not been judged for `UNKNOWN_MINUTES`, also those of a token that is not observed. */
export function endUnjudged(
  state: CrisisState,
  atMs: number,
): { readonly state: CrisisState; readonly closed: readonly ClosedEpisode[] } {
  const minute = Math.floor(atMs / minuteMs)
  let rules = state.rules
  const closed: ClosedEpisode[] = []
  for (const rule of CRISIS_RULES) {
    const before = state.rules[rule]
    if (!before?.episode) continue
    const { episode, judgedMinute } = before
    const openedMinute = Math.floor(episode.openedAtMs / minuteMs)
    const judged = Math.max(openedMinute, judgedMinute ?? state.minute ?? openedMinute)
    if (minute - judged < UNKNOWN_MINUTES) continue
    closed.push({ ...episode, closedAtMs: minute * minuteMs, reason: 'unknown' })
    // The rule does not rest: if it can be judged again and holds, that is a crisis.
    rules = { ...rules, [rule]: { ...before, held: 0, calmMinutes: 0, episode: null } }
  }
  return { state: closed.length === 0 ? state : { ...state, rules }, closed }
}

/**
 * Steps one token by one minute. Returns the new state and the episodes that opened, worsened and closed. A minute that is
 * not newer than the last one changes nothing, so a repeated or late observation opens no second episode.
 */
export function stepCrisis(last: CrisisState, seen: CrisisObservation): CrisisStep {
  const minute = Math.floor(seen.atMs / minuteMs)
  if (last.minute !== null && minute <= last.minute)
    return { state: last, opened: [], worsened: [], closed: [], judged: [], notJudged: null }
  const { state, closed: unjudged } = endUnjudged(last, seen.atMs)
  const silentMinutes = silentFor(state, seen.trades)
  const sinceMinute = state.sinceMinute ?? minute
  const tradedSince = Math.min(
    state.tradedSinceMinute ?? sinceMinute,
    seen.candlePrices?.tradedSinceMinute ?? sinceMinute,
    sinceMinute,
  )
  const isNew = minute - tradedSince < crashWarmUpMinutes
  const return60 = isNew ? null : return60m(state, seen.atMs, seen.priceUsd, seen.candlePrices)
  const blind = seen.priceUsd === null ? 'no_price' : isNew ? 'too_few_minutes' : 'no_price_an_hour_ago'
  const measures: Record<CrisisRule, Measure> = {
    crash: measureCrash(return60, seen.marketReturn60m, blind),
    liquidity_withdrawal: measureDepth(seen.book, state.depth.baseline),
    spread_blowout: measureSpread(seen.book, state.spread.baseline),
    halt: measureHalt(
      seen.halted,
      state.rules.halt?.episode?.inputs['halted'] === true,
      seen.trades === null ? null : silentMinutes,
      state.silence.baseline,
    ),
    depeg: measureDepeg(seen),
    official_notice: measureNotice(seen.flags, state.flags, Boolean(state.rules.official_notice?.episode)),
    cross_venue_gap: measureGap(seen),
  }
  const gapMinutes = state.minute === null ? 0 : minute - state.minute
  const opened: CrisisEpisode[] = []
  const worsened: WorsenedEpisode[] = []
  const closed: ClosedEpisode[] = [...unjudged]
  const judged: JudgedEpisode[] = []
  const notJudged: NotJudged[] = []
  const rules: Partial<Record<CrisisRule, RuleState>> = {}
  for (const rule of CRISIS_RULES) {
    const before = state.rules[rule] ?? quietRule
    const { after, ended } = stepRule(rule, before, measures[rule], minute, gapMinutes)
    if (after !== quietRule) rules[rule] = after
    if (ended) closed.push(ended)
    const { strength, inputs, blind: reason } = measures[rule]
    if (strength === null && reason !== null) {
      const sinceMinuteOfRule = after.judgedMinute === undefined ? sinceMinute : after.judgedMinute + 1
      if (after.judgedMinute === undefined || minute - after.judgedMinute >= NOT_JUDGED_MINUTES)
        notJudged.push({ rule, reason, sinceMs: sinceMinuteOfRule * minuteMs })
    }
    if (before.episode && strength !== null) judged.push({ rule, atMs: minute * minuteMs, strength, inputs })
    if (after.episode && !before.episode) opened.push(after.episode)
    if (after.episode && before.episode && after.episode.severity > before.episode.severity)
      worsened.push({ ...after.episode, atMs: minute * minuteMs, inputsNow: measures[rule].inputs })
  }
  const book = seen.book === null || seen.book.synthetic ? null : seen.book
  return {
    state: {
      sinceMinute,
      minute,
      ...(tradedSince < sinceMinute ? { tradedSinceMinute: tradedSince } : {}),
      prices: addPrice(state, minute, seen.priceUsd, seen.candlePrices),
      // Lower bounds are no measure of what usually rests there.
      depth: addToDay(state.depth, minute, book === null || book.depthIsLowerBound ? null : book.depth2pctUsd),
      spread: addToDay(state.spread, minute, book?.spreadBps ?? null),
      silence: addToDay(state.silence, minute, seen.trades === null ? null : seen.trades === 0 ? 1 : 0),
      silentMinutes,
      flags: seen.flags?.map(({ flag }) => flag) ?? state.flags,
      rules,
    },
    opened,
    worsened,
    closed,
    judged,
    notJudged,
  }
}

/** Rules that are about every pair. */
const rulesOfEveryPair: readonly CrisisRule[] = [
  'crash',
  'liquidity_withdrawal',
  'spread_blowout',
  'halt',
  'official_notice',
]

/**
 * Returns the rules that say nothing about a pair which the answers of its venue leave out: all that were judged before, and those
 * about every pair. `state` is undefined if it was never observed; it trades since `tradingSinceMs`.
 */
export function notObserved(
  state: CrisisState | undefined,
  atMs: number,
  tradingSinceMs: number,
): readonly NotJudged[] {
  const minute = Math.floor(atMs / minuteMs)
  const first = state?.sinceMinute ?? Math.floor(tradingSinceMs / minuteMs)
  return CRISIS_RULES.flatMap((rule) => {
    const judgedMinute = state?.rules[rule]?.judgedMinute
    if (judgedMinute === undefined && !rulesOfEveryPair.includes(rule)) return []
    const since = judgedMinute === undefined ? first : judgedMinute + 1
    return minute - since + 1 < NOT_JUDGED_MINUTES
      ? []
      : [{ rule, reason: 'no_price' as const, sinceMs: since * minuteMs }]
  })
}

/** Ends all open episodes of a token instance that was delisted. */
export function endCrises(state: CrisisState, atMs: number): readonly ClosedEpisode[] {
  return CRISIS_RULES.flatMap((rule) => {
    const episode = state.rules[rule]?.episode
    return episode ? [{ ...episode, closedAtMs: atMs, reason: 'ended' as const }] : []
  })
}

function stepRule(
  rule: CrisisRule,
  before: RuleState,
  { strength, inputs }: Measure,
  minute: number,
  gapMinutes: number,
): { after: RuleState; ended: ClosedEpisode | null } {
  const { needed, window, cooldownMinutes } = RULE_TIMINGS[rule]
  const heldBefore = gapMinutes > window ? 0 : before.held
  if (strength === null) {
    // A state that was stored without the last judged minute counts from the first minute that follows.
    const judgedMinute = before.judgedMinute ?? minute - gapMinutes
    const changed = before.episode !== null && before.judgedMinute === undefined
    const after = heldBefore === before.held && !changed ? before : { ...before, held: heldBefore, judgedMinute }
    return { after, ended: null }
  }
  const held = ((heldBefore << 1) | (strength >= 1 ? 1 : 0)) & ((1 << window) - 1)
  if (before.episode === null) {
    const cooling = before.closedMinute !== null && minute - before.closedMinute < cooldownMinutes
    const opens = !cooling && bitsOf(held) >= needed
    const episode = opens ? openEpisode(rule, minute, strength, inputs) : null
    return { after: { ...before, held, calmMinutes: 0, judgedMinute: minute, episode }, ended: null }
  }
  const calmMinutes = strength <= CALM_BELOW ? before.calmMinutes + 1 : 0
  const peakStrength = Math.max(before.episode.peakStrength, strength)
  const episode = { ...before.episode, peakStrength, severity: severityOf(peakStrength) }
  if (calmMinutes < closeAfterMinutes)
    return { after: { ...before, held, calmMinutes, judgedMinute: minute, episode }, ended: null }
  return {
    after: { held, calmMinutes: 0, closedMinute: minute, judgedMinute: minute, episode: null },
    ended: { ...episode, closedAtMs: minute * minuteMs, reason: 'recovered' },
  }
}

const openEpisode = (rule: CrisisRule, minute: number, strength: number, inputs: Measure['inputs']): CrisisEpisode => ({
  rule,
  openedAtMs: minute * minuteMs,
  severity: severityOf(strength),
  peakStrength: strength,
  inputs,
})

const severityOf = (strength: number): 1 | 2 | 3 => (strength >= 2 ? 3 : strength >= 1.5 ? 2 : 1)

function bitsOf(mask: number): number {
  let bits = 0
  for (let rest = mask; rest > 0; rest >>= 1) bits += rest & 1
  return bits
}

function silentFor(state: CrisisState, trades: number | null): number | null {
  if (trades === null) return state.silentMinutes
  return trades > 0 ? 0 : (state.silentMinutes ?? 0) + 1
}

/** Adds the price of a minute, and those of the missed minutes as far as candles have them. */
function addPrice(
  { minute: last, prices }: CrisisState,
  minute: number,
  price: number | null,
  candles: CandlePrices | null,
): (number | null)[] {
  const missed = last === null ? 0 : Math.min(minute - last - 1, returnMinutes)
  const all = [...prices, ...Array.from({ length: missed }, () => null), price].slice(-returnMinutes - 1)
  if (candles === null) return all
  const first = minute - all.length + 1
  return all.map((one, place) => one ?? (place === all.length - 1 ? null : candlePriceAt(candles, first + place)))
}
