import { assetOfTicker } from '@svc/market-data/assets/rules/regulated-venues'
import { rankDelistingRisk } from '@svc/market-data/board/rules/delisting-risk'
import { gradeOf } from '@svc/market-data/board/rules/grades'
import type { Sample, SampleToken } from './samples.ts'
import { areaUnderCurve, bootstrapInterval, median, shareInterval } from './statistics.ts'

/** Horizons of the base rates, days. Both samples were followed for longer. */
export const HORIZONS = [90, 180, 365] as const

type Interval = readonly [low: number, high: number]

/** How many of a group of tokens were announced within a horizon. */
export interface Rate {
  readonly days: number
  readonly n: number
  readonly delisted: number
  readonly interval: Interval
}

const within = (days: number) => (token: SampleToken) =>
  token.daysToAnnouncement !== null && token.daysToAnnouncement <= days

/** Returns the rates of a group at every horizon. */
export const ratesOf = (tokens: readonly SampleToken[]): Rate[] =>
  HORIZONS.map((days) => {
    const delisted = tokens.filter(within(days)).length
    return { days, n: tokens.length, delisted, interval: shareInterval(delisted, tokens.length) }
  })

/** A rule of the product and the tokens of a sample for which it held. */
export interface RuleWorth {
  readonly rule: string
  readonly rates: readonly Rate[]
}

/** Whether the volume has grade D or worse, the condition of `at_risk` beside the score. */
const isThin = ({ inputs: { volume_24h_usd } }: SampleToken) =>
  volume_24h_usd !== null && ['D', 'D-', 'F'].includes(gradeOf('volume', volume_24h_usd))

/** Returns what the thresholds of the lifecycle were worth among the tokens that could be delisted. */
export function rulesOf({ tokens }: Sample): RuleWorth[] {
  const listed = tokens.filter(({ spotListed }) => spotListed)
  const rule = (name: string, holds: (token: SampleToken) => boolean) => ({
    rule: name,
    rates: ratesOf(listed.filter(holds)),
  })
  return [
    rule('any pair', () => true),
    rule('score ≥ 70', ({ score }) => score >= 70),
    rule('score ≥ 85 (`watch`)', ({ score }) => score >= 85),
    rule('score ≥ 90', ({ score }) => score >= 90),
    rule('score ≥ 95', ({ score }) => score >= 95),
    rule('score ≥ 95 and volume D or worse (`at_risk`)', (token) => token.score >= 95 && isThin(token)),
    rule('score < 50', ({ score }) => score < 50),
  ]
}

/** The rates of the pairs whose score lay in a tenth of the range. */
export interface Decile {
  readonly fromScore: number
  readonly toScore: number
  readonly rates: readonly Rate[]
}

export const decilesOf = ({ tokens }: Sample): Decile[] =>
  Array.from({ length: 10 }, (_, place) => {
    const [fromScore, toScore] = [place * 10, place * 10 + 9]
    const inside = tokens.filter(({ spotListed, score }) => spotListed && score >= fromScore && score <= toScore)
    return { fromScore, toScore, rates: ratesOf(inside) }
  })

/** The twentieth with the highest scores: how many were announced later, and after how many days. */
export interface Top {
  readonly flagged: number
  readonly delisted: number
  readonly interval: Interval
  /** Share of all tokens that were announced. */
  readonly base: number
  readonly days: { readonly fastest: number | null; readonly median: number | null; readonly slowest: number | null }
}

export function topOf(tokens: readonly SampleToken[], score: 'score' | 'scoreWithoutBreadth', share = 0.05): Top {
  const flagged = tokens.toSorted((a, b) => b[score] - a[score]).slice(0, Math.ceil(tokens.length * share))
  const days = flagged.flatMap(({ daysToAnnouncement }) => daysToAnnouncement ?? [])
  return {
    flagged: flagged.length,
    delisted: days.length,
    interval: shareInterval(days.length, flagged.length),
    base: tokens.filter(({ daysToAnnouncement }) => daysToAnnouncement !== null).length / tokens.length,
    days: {
      fastest: days.length === 0 ? null : Math.min(...days),
      median: median(days),
      slowest: days.length === 0 ? null : Math.max(...days),
    },
  }
}

/** The model with and without the breadth over regulated venues on the same tokens. */
export interface Versions {
  readonly n: number
  readonly delisted: number
  readonly auc: number
  readonly interval: Interval
  readonly aucWithout: number
  readonly gain: number
  readonly gainInterval: Interval
  readonly top: Top
  readonly topWithout: Top
}

export function versionsOf(tokens: readonly SampleToken[]): Versions {
  const points = tokens.map((token) => ({
    now: token.score,
    before: token.scoreWithoutBreadth,
    event: token.daysToAnnouncement !== null,
  }))
  const auc = (of: 'now' | 'before') => (all: readonly (typeof points)[number][]) =>
    areaUnderCurve(all.map((point) => ({ score: point[of], event: point.event })))
  const gain = (all: readonly (typeof points)[number][]) => auc('now')(all) - auc('before')(all)
  return {
    n: tokens.length,
    delisted: points.filter(({ event }) => event).length,
    auc: auc('now')(points),
    interval: bootstrapInterval(points, auc('now')),
    aucWithout: auc('before')(points),
    gain: gain(points),
    gainInterval: bootstrapInterval(points, gain),
    top: topOf(tokens, 'score'),
    topWithout: topOf(tokens, 'scoreWithoutBreadth'),
  }
}

/** Separation in a later period among the tokens that were not announced before it. */
export interface Period {
  readonly fromDay: number
  readonly toDay: number
  readonly atRisk: number
  readonly delisted: number
  /** Null with fewer than five announcements. */
  readonly auc: number | null
  readonly interval: Interval | null
}

const EVENTS_MIN = 5

/** Splits the time after the snapshot: how well the score of one day orders the announcements of each later period. */
export function periodsOf(tokens: readonly SampleToken[], horizonDays: number): Period[] {
  const edges = [0, 180, 365, 730, 1095, Infinity].filter((edge) => edge < horizonDays)
  return edges.map((fromDay, place) => {
    const toDay = Math.min(edges[place + 1] ?? Infinity, horizonDays)
    const points = tokens
      .filter(({ daysToAnnouncement }) => daysToAnnouncement === null || daysToAnnouncement > fromDay)
      .map((token) => ({ score: token.score, event: within(toDay)(token) }))
    const delisted = points.filter(({ event }) => event).length
    const enough = delisted >= EVENTS_MIN
    return {
      fromDay,
      toDay: Math.round(toDay),
      atRisk: points.length,
      delisted,
      auc: enough ? areaUnderCurve(points) : null,
      interval: enough ? bootstrapInterval(points, areaUnderCurve) : null,
    }
  })
}

/** Who is in a sample: tokens that could be delisted from the spot venue, and tokens that could not. */
export interface Composition {
  readonly tokens: number
  readonly spotListed: number
  readonly delistedListed: number
  readonly delistedOthers: number
  /** Tokens by the number of regulated venues, and how many were announced; `unknown` for ambiguous tickers. */
  readonly byBreadth: readonly { readonly breadth: number | null; readonly n: number; readonly delisted: number }[]
}

export function compositionOf({ tokens }: Sample): Composition {
  const listed = tokens.filter(({ spotListed }) => spotListed)
  const delisted = (all: readonly SampleToken[]) =>
    all.filter(({ daysToAnnouncement }) => daysToAnnouncement !== null).length
  const groups = Map.groupBy(listed, ({ inputs }) => inputs.regulated_venues)
  return {
    tokens: tokens.length,
    spotListed: listed.length,
    delistedListed: delisted(listed),
    delistedOthers: delisted(tokens) - delisted(listed),
    byBreadth: [...groups]
      .toSorted(([a], [b]) => (a ?? 99) - (b ?? 99))
      .map(([breadth, members]) => ({ breadth, n: members.length, delisted: delisted(members) })),
  }
}

/** Everything about a sample that the model card shows. */
export interface SampleWorth {
  readonly sample: Sample
  readonly composition: Composition
  readonly all: Versions
  /** Of the tokens that could be delisted from the spot venue. */
  readonly listed: Versions
  readonly periods: readonly Period[]
  readonly rules: readonly RuleWorth[]
  readonly deciles: readonly Decile[]
  /** AUC with a list that was recorded years after the snapshot. */
  readonly aucLookAhead: number
  /** Tokens that an older recorded list of the spot venue lacks: a stale list would leave out too many. */
  readonly missingInOldList: number
}

/** Lists from other times, which no score uses: they show what a wrong list would claim. */
export interface OtherLists {
  /** Assets of Coinbase years after the snapshots. */
  readonly future: ReadonlySet<string>
  /** Assets that traded at the spot venue in April 2023. */
  readonly oldSpot: ReadonlySet<string>
}

/** Returns what a look-ahead shows: the same rank with a list of the future. */
function lookAheadOf({ tokens, title }: Sample, future: ReadonlySet<string>): number {
  const scores = rankDelistingRisk(
    tokens.map(({ base, inputs }) => ({
      id: base,
      group: title,
      inputs: { ...inputs, regulated_venues: Number(future.has(assetOfTicker(base))) },
      floors: [],
    })),
  )
  return areaUnderCurve(
    tokens
      .map(({ daysToAnnouncement, spotListed }, index) => ({
        spotListed,
        score: scores[index]?.score ?? 0,
        event: daysToAnnouncement !== null,
      }))
      .filter(({ spotListed }) => spotListed),
  )
}

export function worthOf(sample: Sample, { future, oldSpot }: OtherLists): SampleWorth {
  const listed = sample.tokens.filter(({ spotListed }) => spotListed)
  return {
    sample,
    composition: compositionOf(sample),
    all: versionsOf(sample.tokens),
    listed: versionsOf(listed),
    periods: periodsOf(listed, sample.horizonDays),
    rules: rulesOf(sample),
    deciles: decilesOf(sample),
    aucLookAhead: lookAheadOf(sample, future),
    missingInOldList: sample.tokens.filter(({ base }) => !oldSpot.has(base)).length,
  }
}
