import type { VenueFlag } from '@svc/contracts/market-data/board'
import type { NotJudgedReason } from '@svc/contracts/market-data/crisis'
import { medianOf } from '#markets/rules/rolling-day.ts'

export type CrisisRule =
  | 'crash'
  | 'liquidity_withdrawal'
  | 'spread_blowout'
  | 'halt'
  | 'depeg'
  | 'official_notice'
  | 'cross_venue_gap'

/** Changes with every change of a threshold or formula. */
export const CRISIS_RULES_VERSION = 'crisis-1'

/** Observation of one token in one minute. Null is unknown and neither opens nor closes an episode. */
export interface CrisisObservation {
  /** Start of the minute in Unix time. */
  readonly atMs: number
  readonly priceUsd: number | null
  /** Prices of earlier minutes from the venue's candles, for minutes in which none was observed; null if none were read. */
  readonly candlePrices: CandlePrices | null
  /** Median 60-minute return of the venue's markets with the same quote. */
  readonly marketReturn60m: number | null
  /** `synthetic` marks a book of a simulator, which book rules ignore. */
  readonly book: {
    readonly depth2pctUsd: number | null
    /** True if the levels end within 2 % of the mid. */
    readonly depthIsLowerBound: boolean
    readonly spreadBps: number | null
    readonly synthetic: boolean
  } | null
  /** Trades in the minute; null if the venue's answer is missing or old. */
  readonly trades: number | null
  /** Whether the venue states that trading is halted. */
  readonly halted: boolean | null
  /** Whether the token is a dollar stablecoin. */
  readonly peggedToUsd: boolean
  /** Price in dollars by which the peg is judged; absent if that is `priceUsd`. */
  readonly pegPriceUsd?: number
  /** Median price of the same asset at other venues. */
  readonly referencePriceUsd: number | null
  /** Official flags in force: the venue's word and its class. */
  readonly flags: readonly OfficialWord[] | null
}

/** Prices of consecutive minutes in USD. */
export interface CandlePrices {
  /** Minute of the first price since 1970, and the first minute for which the venue has a candle. */
  readonly firstMinute: number
  readonly tradedSinceMinute: number
  readonly priceUsd: readonly (number | null)[]
}

/** An official flag. Another word with the same meaning is a new flag. */
export interface OfficialWord {
  readonly flag: string
  readonly meaning: VenueFlag['meaning']
}

/** Measure of a rule in a minute. A strength of 1 is the threshold; null is unknown. */
export interface Measure {
  readonly strength: number | null
  readonly inputs: Readonly<Record<string, number | boolean | string | null>>
  /** Why the strength is unknown; null if it is known, or if the rule is not about this pair. */
  readonly blind: NotJudgedReason | null
}

/** A rule opens an episode if it held in `needed` of its last `window` known minutes and is not cooling down. */
export interface RuleTiming {
  readonly needed: number
  readonly window: number
  readonly cooldownMinutes: number
}

export const RULE_TIMINGS: Record<CrisisRule, RuleTiming> = {
  crash: { needed: 1, window: 1, cooldownMinutes: 60 },
  liquidity_withdrawal: { needed: 5, window: 10, cooldownMinutes: 60 },
  spread_blowout: { needed: 10, window: 10, cooldownMinutes: 60 },
  halt: { needed: 1, window: 1, cooldownMinutes: 60 },
  depeg: { needed: 10, window: 10, cooldownMinutes: 60 },
  // A notice appears once: a notice during a cooldown would be lost.
  official_notice: { needed: 1, window: 1, cooldownMinutes: 0 },
  cross_venue_gap: { needed: 10, window: 10, cooldownMinutes: 60 },
}

/** The order in which a step lists episodes. */
export const CRISIS_RULES: readonly CrisisRule[] = [
  'crash',
  'liquidity_withdrawal',
  'spread_blowout',
  'halt',
  'depeg',
  'official_notice',
  'cross_venue_gap',
]

export const THRESHOLDS = {
  relativeReturn60m: -0.12,
  absoluteReturn60m: -0.15,
  depthShareOfMedian: 0.3,
  spreadTimesMedian: 5,
  spreadBpsMin: 50,
  /** Probability of the silence, given the day's rate of minutes with trades. */
  silenceP: 1e-6,
  silenceMinutesMin: 15,
  /** Least share of silent minutes; a day does not show smaller shares reliably. */
  silentShareMin: 0.001,
  depeg: 0.01,
  crossVenueGap: 0.05,
} as const

/** A rule is calm up to this strength. */
export const CALM_BELOW = 0.5

const unknown = (blind: NotJudgedReason | null, inputs: Measure['inputs'] = {}): Measure => ({
  strength: null,
  inputs,
  blind,
})

const known = (strength: number, inputs: Measure['inputs']): Measure => ({ strength, inputs, blind: null })

/**
 * Relative and absolute crash are one rule, so that a token has at most one open crash. `blind` is why the return is unknown, if it
 * is.
 */
export function measureCrash(
  return60m: number | null,
  market: number | null,
  blind: NotJudgedReason = 'no_price_an_hour_ago',
): Measure {
  if (return60m === null) return unknown(blind)
  const relative = market === null ? null : return60m - market
  // A token that does not move while all others rise is not in a crash.
  const byRelative = relative === null || return60m >= 0 ? 0 : relative / THRESHOLDS.relativeReturn60m
  const byAbsolute = return60m / THRESHOLDS.absoluteReturn60m
  return known(Math.max(0, byRelative, byAbsolute), {
    return_60m: return60m,
    market_return_60m: market,
    relative_return_60m: relative,
    rule: byRelative >= byAbsolute ? 'relative' : 'absolute',
  })
}

/** Returns why rules on books cannot judge this one. */
const blindOf = (book: CrisisObservation['book'], median: number | null): NotJudgedReason =>
  book?.synthetic === true ? 'book_made_up' : median === null ? 'too_few_books' : 'no_book'

export function measureDepth(book: CrisisObservation['book'], median: number | null): Measure {
  const depth = book === null || book.synthetic ? null : book.depth2pctUsd
  if (depth !== null && median === null && book?.depthIsLowerBound === true) return unknown('depth_is_lower_bound')
  if (depth === null || median === null || median <= 0) return unknown(blindOf(book, median))
  const share = depth / median
  const strength = Math.max(0, (1 - share) / (1 - THRESHOLDS.depthShareOfMedian))
  // A book that was cut short can show that the depth is sufficient, never that it is too low.
  if (book?.depthIsLowerBound === true && strength > CALM_BELOW)
    return unknown('depth_is_lower_bound', { depth_is_lower_bound: true })
  return known(strength, { depth_2pct_usd: depth, median_24h_usd: median, share_of_median: share })
}

export function measureSpread(book: CrisisObservation['book'], median: number | null): Measure {
  const spread = book === null || book.synthetic ? null : book.spreadBps
  if (spread === null || median === null || median <= 0) return unknown(blindOf(book, median))
  return known(Math.min(spread / (THRESHOLDS.spreadTimesMedian * median), spread / THRESHOLDS.spreadBpsMin), {
    spread_bps: spread,
    median_24h_bps: median,
  })
}

/**
 * `stated`: the open episode began with a statement of the venue. It ends when the venue says that the pair trades, even if its
 * trades are unknown.
 * Trades come in clusters, so the Poisson rate is the rate of minutes with a trade: with a share q of silent minutes, t
 * silent minutes have the probability q^t. The strength is its logarithm divided by the logarithm of 1e-6.
 */
export function measureHalt(
  halted: boolean | null,
  stated: boolean,
  silentMinutes: number | null,
  silentShare: number | null,
): Measure {
  const said = (strength: number) => known(strength, { halted, silent_minutes: silentMinutes })
  if (halted === true) return said(1)
  if (silentMinutes === null || silentShare === null) {
    if (stated && halted === false) return said(0)
    // Silence is judged for targets alone. Where nobody reads trades, the statement of the venue is all there is to judge.
    return unknown(halted === null ? 'list_too_old' : silentMinutes === null ? null : 'too_few_minutes')
  }
  const chance = Math.max(THRESHOLDS.silentShareMin, silentShare) ** silentMinutes
  const long = silentMinutes >= THRESHOLDS.silenceMinutesMin
  return known(long ? Math.log(chance) / Math.log(THRESHOLDS.silenceP) : 0, {
    halted,
    silent_minutes: silentMinutes,
    silent_share_24h: silentShare,
    chance,
  })
}

export function measureDepeg({ peggedToUsd, priceUsd, pegPriceUsd }: CrisisObservation): Measure {
  if (!peggedToUsd) return unknown(null)
  const price = pegPriceUsd ?? priceUsd
  if (price === null) return unknown('no_price')
  return known(Math.abs(price - 1) / THRESHOLDS.depeg, { price_usd: price })
}

export function measureGap({ priceUsd, referencePriceUsd }: CrisisObservation): Measure {
  // Without another venue there is nothing to compare.
  if (referencePriceUsd === null || referencePriceUsd <= 0) return unknown(null)
  if (priceUsd === null) return unknown('no_price')
  const gap = priceUsd / referencePriceUsd - 1
  return known(Math.abs(gap) / THRESHOLDS.crossVenueGap, {
    price_usd: priceUsd,
    reference_price_usd: referencePriceUsd,
    gap,
  })
}

const noticeStrengths: Record<VenueFlag['meaning'], number> = {
  caution: 1,
  margin_delisting: 1,
  delisted_elsewhere: 1,
  warning: 1.5,
  delisting_announced: 2,
}

/** A flag that was not in force before opens an episode; any flag keeps an open episode open. */
export function measureNotice(
  flags: readonly OfficialWord[] | null,
  before: readonly string[] | null,
  open: boolean,
): Measure {
  if (flags === null) return unknown('list_too_old')
  const fresh = before === null ? [] : flags.filter(({ flag }) => !before.includes(flag))
  const counted = open ? flags : fresh
  const words = (of: readonly OfficialWord[]) => of.map(({ flag }) => flag).join(', ')
  return known(Math.max(0, ...counted.map(({ meaning }) => noticeStrengths[meaning])), {
    flags: words(flags),
    new_flags: words(fresh),
  })
}

/** Least number of markets of one venue and quote for a median return. */
const marketMin = 20

/** Returns the median of the known returns; null with fewer than 20. */
export function marketReturn(returns: readonly (number | null)[]): number | null {
  const values = returns.filter((value) => value !== null)
  return values.length < marketMin ? null : medianOf(values)
}
