import {
  RISK_DIRECTIONS,
  RISK_INPUTS_MIN,
  RISK_INPUT_KEYS,
  RISK_MODEL_VERSION,
  RISK_PEERS_MIN,
  type RiskFactor,
  type RiskFloor,
  type RiskInputs,
  type RiskScore,
  type RiskSubject,
} from './delisting-risk-model.ts'
import { midRankPercentiles } from './mid-rank.ts'

/** Only an announcement is certain, so a rank never reaches 100. */
const rankMax = 99

/**
 * Scores every subject against the subjects of its group: the percentile of the sum of its risk ranks, raised to the
 * highest of its floors. An unknown input counts as the middle rank and gets no points; an input that is unknown for the
 * whole group has no influence. Scores are in the order of the subjects. O(n log n).
 */
export function rankDelistingRisk(subjects: readonly RiskSubject[]): RiskScore[] {
  const scores = Array.from<RiskScore | null>({ length: subjects.length }).fill(null)
  for (const group of groupIndexes(subjects)) {
    const members = group.flatMap((index) => subjects[index] ?? [])
    for (const [place, score] of scoreGroup(members).entries()) scores[group[place] ?? -1] = score
  }
  return scores.filter((score) => score !== null)
}

function groupIndexes(subjects: readonly RiskSubject[]): Iterable<number[]> {
  const groups = new Map<string, number[]>()
  for (const [index, { group }] of subjects.entries()) {
    const members = groups.get(group)
    if (members) members.push(index)
    else groups.set(group, [index])
  }
  return groups.values()
}

interface Ranked {
  readonly subject: RiskSubject
  /** In the order of `RISK_INPUT_KEYS`; null for an unknown input. */
  readonly percentiles: readonly (number | null)[]
  readonly rankSum: number
}

function scoreGroup(members: readonly RiskSubject[]): RiskScore[] {
  const columns = RISK_INPUT_KEYS.map((key) => {
    const direction = RISK_DIRECTIONS[key]
    const risks = members.map(({ inputs }) => (inputs[key] === null ? null : inputs[key] * direction))
    return midRankPercentiles(risks)
  })
  const ranked = members.map((subject, place): Ranked => {
    const percentiles = columns.map((column) => column[place] ?? null)
    return { subject, percentiles, rankSum: percentiles.reduce<number>((sum, one) => sum + (one ?? 0.5), 0) }
  })
  const enough = members.map(({ inputs }) => knownInputs(inputs) >= RISK_INPUTS_MIN)
  // Sums of equal ranks in another order may differ in the last bit; rounding makes them ties.
  const sums = ranked.map(({ rankSum }, place) => (enough[place] ? Math.round(rankSum * 1e9) : null))
  const peers = enough.filter(Boolean).length
  const places = midRankPercentiles(sums)
  return ranked.map((entry, place) => {
    const percentile = peers < RISK_PEERS_MIN ? null : (places[place] ?? null)
    const reason = enough[place] ? 'too_few_peers' : 'too_few_inputs'
    return finish(entry, percentile === null ? { reason } : { percentile }, peers)
  })
}

/** The breadth does not count: it says nothing about the market that is ranked. */
const knownInputs = (inputs: RiskInputs) =>
  RISK_INPUT_KEYS.filter((key) => key !== 'regulated_venues' && inputs[key] !== null).length

function finish(
  { subject, percentiles }: Ranked,
  rank: { readonly percentile: number } | { readonly reason: 'too_few_peers' | 'too_few_inputs' },
  peers: number,
): RiskScore {
  const base = 'percentile' in rank ? Math.min(rankMax, Math.round(rank.percentile * 100)) : 0
  const highest = highestFloor(subject.floors)
  const floor = highest?.value ?? 0
  const known = 'percentile' in rank || highest !== null
  const points = shareOut(
    base,
    percentiles.map((percentile) => percentile ?? 0),
  )
  const factors: RiskFactor[] = RISK_INPUT_KEYS.map((key, index) => ({
    key,
    value: subject.inputs[key],
    percentile: percentOf(percentiles[index] ?? null),
    points: points[index] ?? 0,
  }))
  if (highest !== null)
    factors.push({ key: highest.key, value: floor, percentile: null, points: Math.max(0, floor - base) })
  return {
    id: subject.id,
    score: known ? Math.max(base, floor) : null,
    reason: 'reason' in rank ? rank.reason : null,
    factors,
    model_version: RISK_MODEL_VERSION,
    n_peers: peers,
  }
}

function highestFloor(floors: readonly RiskFloor[]): RiskFloor | null {
  return floors.reduce<RiskFloor | null>((best, floor) => (floor.value > (best?.value ?? 0) ? floor : best), null)
}

const percentOf = (share: number | null) => (share === null ? null : Math.round(share * 1000) / 10)

/** Splits `total` in proportion to the weights, in tenths that sum to it exactly (largest remainder). */
function shareOut(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0)
  if (total === 0 || sum === 0) return weights.map(() => 0)
  const exact = weights.map((weight) => (total * 10 * weight) / sum)
  const tenths = exact.map(Math.floor)
  const byRemainder = exact.map((_, index) => index)
  byRemainder.sort((a, b) => (exact[b] ?? 0) - (tenths[b] ?? 0) - ((exact[a] ?? 0) - (tenths[a] ?? 0)))
  const left = total * 10 - tenths.reduce((a, b) => a + b, 0)
  for (const index of byRemainder.slice(0, left)) tenths[index] = (tenths[index] ?? 0) + 1
  return tenths.map((value) => value / 10)
}
