import type { BoardRow, Letter, Lifecycle, VenueFlag } from '@svc/contracts/market-data/board'
import type { BoardInputs, Carried, TokenInput } from './board-inputs.ts'
import { rankDelistingRisk } from './delisting-risk.ts'
import { crisisFloor, flagFloor, recentFloor, type RiskFloor, type RiskScore } from './delisting-risk-model.ts'
import { COMPONENTS, gpaIsLowerBound, gpaOf, gradeOf, letterOf, stabilityOf, type Component } from './grades.ts'
import { settle, settledAt } from './hysteresis.ts'
import { gpaIsLow, isWorsening, lifecycleOf, sinceWhen, type LifecycleVerdict } from './lifecycle.ts'
import { midRankPercentiles } from './mid-rank.ts'
import { moveTrend, outlookOf } from './outlook.ts'
import { quoteClassOf } from '#markets/rules/usd-rates.ts'

/** Least number of peers for a rank. */
const PEERS_MIN = 20

const NONE_MISSING: readonly Component[] = []

/** A row of the board with its explanation and the state that the next board needs. */
export interface BoardEntry {
  readonly row: BoardRow
  readonly instance_id: number
  readonly predecessor_id: number | null
  readonly missing: readonly Component[]
  readonly n_peers: number
  readonly values: Readonly<Record<Component, number | null>>
  /** Mid-rank among the peers, percent, 100 = most liquid; null with fewer than 20 peers. */
  readonly percentiles: Readonly<Record<Component, number | null>>
  readonly counts: Readonly<Record<Component, number>>
  /** Null for a pair that does not trade: it has no peers. */
  readonly risk: Omit<RiskScore, 'id'> | null
  readonly lifecycle_cause: string
  readonly carried: Carried
}

/** Peers of a pair: the same venue and class of quote currency. */
const groupOf = (token: TokenInput) => `${token.exchange} ${quoteClassOf(token.quote)}`

const valuesOf = (token: TokenInput): Record<Component, number | null> => ({
  spread: token.spread_bps,
  depth: token.depth_usd,
  volume: token.volume_24h_usd,
  stability: stabilityOf(token.zero_trade_share, token.depth_usd, token.depth_p5_usd),
})

/**
 * Computes a whole board from its inputs, in their order. Pure: the same inputs give the same board.
 * O(n log n) for n tokens.
 */
export function computeBoard({ computed_at, tokens }: BoardInputs): BoardEntry[] {
  const values = tokens.map(valuesOf)
  const ranks = percentilesOf(tokens, values)
  const risks = risksOf(tokens, computed_at)
  return tokens.map((token, index) => {
    const own = values[index] ?? valuesOf(token)
    return entryOf(token, own, ranks[index] ?? noRank, risks.get(token.instance_id) ?? null, computed_at)
  })
}

interface Rank {
  readonly peers: number
  readonly percentiles: Record<Component, number | null>
}
const noRank: Rank = { peers: 0, percentiles: { spread: null, depth: null, volume: null, stability: null } }

function percentilesOf(tokens: readonly TokenInput[], values: readonly Record<Component, number | null>[]): Rank[] {
  const living = tokens.flatMap((token, index) => (token.trading === 'delisted' ? [] : [{ token, index }]))
  const groups = Map.groupBy(living, ({ token }) => groupOf(token))
  const ranks = Array.from<Rank>({ length: tokens.length }).fill(noRank)
  for (const group of groups.values()) {
    const members = group.map(({ index }) => index)
    for (const index of members) ranks[index] = { peers: members.length, percentiles: { ...noRank.percentiles } }
    for (const component of COMPONENTS) {
      const column = members.map((index) => {
        const value = values[index]?.[component] ?? null
        return value === null || component !== 'spread' ? value : -value
      })
      if (column.filter((value) => value !== null).length < PEERS_MIN) continue
      for (const [place, percentile] of midRankPercentiles(column).entries()) {
        const rank = ranks[members[place] ?? -1]
        if (rank !== undefined && percentile !== null) rank.percentiles[component] = Math.round(percentile * 1000) / 10
      }
    }
  }
  return ranks
}

function risksOf(tokens: readonly TokenInput[], now: number): ReadonlyMap<number, RiskScore> {
  const trading = tokens.filter((token) => token.trading !== 'delisted')
  const markets = new Map<string, number>()
  for (const { exchange, base } of trading)
    markets.set(`${exchange} ${base}`, (markets.get(`${exchange} ${base}`) ?? 0) + 1)
  const scores = rankDelistingRisk(
    trading.map((token) => ({
      id: String(token.instance_id),
      group: groupOf(token),
      inputs: {
        volume_24h_usd: token.volume_24h_usd,
        zero_trade_share: token.zero_trade_share,
        amihud: token.amihud,
        depth_2pct_usd: token.depth_usd,
        spread_bps: token.spread_bps,
        quote_markets: markets.get(`${token.exchange} ${token.base}`) ?? null,
        regulated_venues: token.regulated_venues,
      },
      floors: floorsOf(token, now),
    })),
  )
  return new Map(scores.map((score) => [Number(score.id), score]))
}

type ByComponent<T> = Readonly<Record<Component, T>>
const perComponent = <T>(of: (component: Component) => T): ByComponent<T> => ({
  spread: of('spread'),
  depth: of('depth'),
  volume: of('volume'),
  stability: of('stability'),
})

function entryOf(
  token: TokenInput,
  values: ByComponent<number | null>,
  rank: Rank,
  score: RiskScore | null,
  now: number,
): BoardEntry {
  const { before } = token
  const grades = perComponent((component) => {
    const value = values[component]
    return settle<Letter>(before?.grades[component] ?? null, value === null ? null : gradeOf(component, value))
  })
  const shown = perComponent((component) => grades[component].shown)
  const gpa = gpaOf(shown)
  // A pair that does not trade has no new grade: its trend stays as it is.
  const trend = moveTrend(before?.trend ?? null, token.trading === 'trading' ? gpa : null, now)
  const inCrisis = token.alerts !== null && token.alerts.length > 0
  const afterCrisis = token.recent_alerts !== null && token.recent_alerts.length > 0
  const outlook = outlookOf(trend, inCrisis || isFlagged(token.flags), now)
  const lowGpaSince = sinceWhen(gpaIsLow(gpa), before?.low_gpa_since ?? null, now)
  const worseningSince = sinceWhen(isWorsening(outlook), before?.worsening_since ?? null, now)
  const verdict = lifecycleOf(
    {
      trading: token.trading,
      tradingSince: token.trading_since,
      delistCause: token.delist_cause,
      listedAt: token.listed_at,
      flags: token.flags,
      score: score?.score ?? null,
      gpa,
      volumeGrade: shown.volume,
      inCrisis,
      afterCrisis,
      lowGpaSince,
      worseningSince,
    },
    now,
  )
  const lifecycle = settledLifecycle(before, verdict, inCrisis || afterCrisis)
  return {
    row: rowOf(token, {
      shown,
      gpa,
      lifecycle: lifecycle.shown ?? verdict.state,
      outlook,
      riskScore: score?.score ?? null,
    }),
    instance_id: token.instance_id,
    predecessor_id: token.predecessor_id,
    missing: gpa === null ? COMPONENTS.filter((component) => shown[component] === null) : NONE_MISSING,
    n_peers: rank.peers,
    values,
    percentiles: rank.percentiles,
    counts: {
      spread: token.spread_n,
      depth: token.depth_n,
      volume: token.volume_24h_usd === null ? 0 : 1,
      stability: token.candle_minutes,
    },
    risk: score === null ? null : withoutId(score),
    lifecycle_cause: verdict.cause,
    carried: { grades, trend, low_gpa_since: lowGpaSince, worsening_since: worseningSince, lifecycle },
  }
}

interface Judged {
  readonly shown: BoardRow['grades']
  readonly gpa: number | null
  readonly lifecycle: Lifecycle
  readonly outlook: BoardRow['outlook']
  readonly riskScore: number | null
}

const rowOf = (token: TokenInput, { shown, gpa, lifecycle, outlook, riskScore }: Judged): BoardRow => ({
  token_id: token.token_id,
  exchange: token.exchange,
  symbol: token.symbol,
  base: token.base,
  quote: token.quote,
  name: token.name,
  name_from: token.name === null ? null : (token.name_from ?? token.exchange),
  name_ko: token.name_ko,
  name_ko_from: token.name_ko === null ? null : (token.name_ko_from ?? token.exchange),
  grade: gpa === null ? null : letterOf(gpa),
  gpa,
  grades: shown,
  spread_bps: rounded(token.spread_bps, 2),
  depth_2pct_usd: rounded(token.depth_usd, 2),
  depth_is_lower_bound: token.depth_is_lower_bound,
  gpa_is_lower_bound: gpaIsLowerBound(gpa, shown.depth, token.depth_is_lower_bound),
  volume_24h_usd: rounded(token.volume_24h_usd, 2),
  price: token.price,
  change_24h_pct: rounded(token.change_24h_pct, 2),
  lifecycle,
  outlook,
  risk_score: riskScore,
  flags: token.flags,
  alerts: token.alerts,
  recent_alerts: token.recent_alerts,
  not_judged: token.not_judged,
  updated_at: token.observed_at === null ? null : new Date(token.observed_at).toISOString(),
})

function withoutId(scored: RiskScore): Omit<RiskScore, 'id'> {
  const { id: _, ...score } = scored
  return score
}

const isFlagged = (flags: readonly VenueFlag[]) => flags.some((flag) => flag.meaning !== 'delisted_elsewhere')

/** Returns the official flags and the crises of a pair, open and remembered, as floors of its score. */
const floorsOf = ({ flags, alerts, recent_alerts }: TokenInput, now: number): RiskFloor[] => [
  ...flags.map(({ meaning }) => flagFloor(meaning)),
  ...(alerts ?? []).map(({ severity }) => crisisFloor(severity)),
  ...(recent_alerts ?? []).map(({ severity, closed_at }) => recentFloor(severity, Date.parse(closed_at), now)),
]

/**
 * A state that follows from a rank settles, because ranks flicker. Official statements and crises, also remembered ones, are
 * shown at once.
 */
function settledLifecycle(before: Carried | null, { state, cause }: LifecycleVerdict, hasCrisis: boolean) {
  const known = before?.lifecycle ?? null
  const ranked = cause === 'risk_score' || known?.shown === 'at_risk'
  const official = state === 'delisted' || state === 'halted' || cause.startsWith('flag_')
  const settled = ranked && !official ? settle<Lifecycle>(known, state) : settledAt<Lifecycle>(state)
  const calm = settled.shown === 'new' || settled.shown === 'active'
  return hasCrisis && calm ? { shown: 'watch' as const, differing: settled.differing } : settled
}

const rounded = (value: number | null, decimals: number) =>
  value === null ? null : Math.round(value * 10 ** decimals) / 10 ** decimals
