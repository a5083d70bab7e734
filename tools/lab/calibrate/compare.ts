import { RISK_DIRECTIONS, RISK_INPUT_KEYS, type RiskInputKey } from '@svc/market-data/board/rules/delisting-risk-model'
import { midRankPercentiles } from '@svc/market-data/board/rules/mid-rank'
import { equalWeights, logistic, monotoneBoosting, type Learner } from './models.ts'
import type { Sample } from './samples.ts'
import { areaUnderCurve, bootstrapInterval, seededRandom } from './statistics.ts'

/** A rival of the shipped score on one sample. */
export interface Rival {
  readonly name: string
  /** Of scores for tokens that the rival was not trained on. */
  readonly auc: number
  /** AUC of the rival minus that of the shipped score on the same tokens, with its 95 % interval. */
  readonly gain: number
  readonly gainInterval: readonly [low: number, high: number]
}

const shipped: readonly RiskInputKey[] = RISK_INPUT_KEYS
const withoutBreadth = shipped.filter((key) => key !== 'regulated_venues')
const wide = [...shipped, 'burstiness', 'small trades', 'one-sided minutes', 'moves apart from bitcoin']
const folds = 5
const repeats = 4

/** Returns the risk ranks of the named features within the sample, without those that the sample does not know. */
function rankRows({ tokens }: Sample, names: readonly string[]): { names: string[]; rows: number[][] } {
  const columns = names.flatMap((name) => {
    const key = shipped.find((input) => input === name)
    const values = tokens.map(({ inputs, unused }) => {
      const value = key === undefined ? unused[name] : inputs[key]
      return value === undefined || value === null ? null : value * (key === undefined ? 1 : RISK_DIRECTIONS[key])
    })
    return values.some((value) => value !== null) ? [{ name, ranks: midRankPercentiles(values) }] : []
  })
  return {
    names: columns.map(({ name }) => name),
    rows: tokens.map((_, index) => columns.map(({ ranks }) => ranks[index] ?? 0.5)),
  }
}

const eventsOf = ({ tokens }: Sample) => tokens.map(({ daysToAnnouncement }) => daysToAnnouncement !== null)

function against(name: string, sample: Sample, scores: readonly number[]): Rival {
  const events = eventsOf(sample)
  const points = sample.tokens.map(({ score }, index) => ({
    shipped: score,
    rival: scores[index] ?? 0,
    event: events[index] ?? false,
  }))
  const auc = (of: 'shipped' | 'rival') => (all: typeof points) =>
    areaUnderCurve(all.map((point) => ({ score: point[of], event: point.event })))
  const gain = (all: readonly (typeof points)[number][]) => auc('rival')([...all]) - auc('shipped')([...all])
  return {
    name,
    auc: auc('rival')(points),
    gain: gain(points),
    gainInterval: bootstrapInterval(points, gain, { rounds: 1000 }),
  }
}

/** Returns the mean rank of each token's out-of-fold scores: five folds with equal shares of events, four shufflings. */
function outOfFold(sample: Sample, names: readonly string[], learner: Learner): number[] {
  const { rows } = rankRows(sample, names)
  const events = eventsOf(sample)
  const sums = rows.map(() => 0)
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const random = seededRandom(100 + repeat)
    const drawn = rows.map((_, index) => ({ index, place: (events[index] ? 1 : 0) + random() }))
    const foldOf = new Map(
      drawn.toSorted((a, b) => a.place - b.place).map(({ index }, place) => [index, place % folds]),
    )
    for (let fold = 0; fold < folds; fold += 1) {
      const inside = [...rows.keys()].filter((index) => foldOf.get(index) !== fold)
      const score = learner(
        inside.map((index) => rows[index] ?? []),
        inside.map((index) => events[index] ?? false),
      )
      const outside = [...rows.keys()].filter((index) => foldOf.get(index) === fold)
      const ranks = midRankPercentiles(outside.map((index) => score(rows[index] ?? [])))
      for (const [place, index] of outside.entries()) sums[index] = (sums[index] ?? 0) + (ranks[place] ?? 0.5)
    }
  }
  return sums
}

export interface FeatureAuc {
  readonly name: string
  readonly isInput: boolean
  /** By sample, in the direction "less liquid, more volatile is riskier"; null where the sample does not know it. */
  readonly aucs: readonly (number | null)[]
}

/** Returns how well each feature separates by itself, inputs of the score first. */
export function singleFeatures(samples: readonly Sample[]): FeatureAuc[] {
  const others = new Set(samples.flatMap(({ tokens }) => tokens.flatMap(({ unused }) => Object.keys(unused))))
  const auc = (sample: Sample, name: string) => {
    const { names, rows } = rankRows(sample, [name])
    const events = eventsOf(sample)
    if (names.length === 0) return null
    return areaUnderCurve(rows.map(([rank = 0.5], index) => ({ score: rank, event: events[index] ?? false })))
  }
  return [...shipped, ...others]
    .map((name, index) => ({ name, isInput: index < shipped.length, aucs: samples.map((sample) => auc(sample, name)) }))
    .filter(({ aucs }) => aucs.some((value) => value !== null))
}

/** Judges rivals on the sample itself, each only on tokens of folds that it was not trained on. */
export function crossValidated(sample: Sample): Rival[] {
  const rival = (name: string, names: readonly string[], learner: Learner) =>
    against(name, sample, outOfFold(sample, names, learner))
  return [
    rival('quote volume alone', ['volume_24h_usd'], equalWeights),
    rival('without regulated venues, equal weights', withoutBreadth, equalWeights),
    rival('shipped inputs and burstiness, equal weights', [...shipped, 'burstiness'], equalWeights),
    rival('shipped inputs, logistic regression', shipped, logistic),
    rival('shipped inputs, monotone boosted trees', shipped, monotoneBoosting),
    rival('all features of the candles, equal weights', wide, equalWeights),
    rival('all features of the candles, logistic regression', wide, logistic),
    rival('all features of the candles, monotone boosted trees', wide, monotoneBoosting),
  ]
}

/** Trains rivals on one sample and judges them on the other, with the features that both know. */
export function transferred(from: Sample, to: Sample): Rival[] {
  const rival = (name: string, candidates: readonly string[], learner: Learner) => {
    const known = rankRows(to, candidates)
    const score = learner(rankRows(from, known.names).rows, eventsOf(from))
    return against(name, to, known.rows.map(score))
  }
  return [
    rival('quote volume alone', ['volume_24h_usd'], equalWeights),
    rival('without regulated venues, equal weights', withoutBreadth, equalWeights),
    rival('shipped inputs and burstiness, equal weights', [...shipped, 'burstiness'], equalWeights),
    rival('shipped inputs, logistic regression', shipped, logistic),
    rival('shipped inputs, monotone boosted trees', shipped, monotoneBoosting),
    rival('shipped inputs and burstiness, logistic regression', [...shipped, 'burstiness'], logistic),
    rival('shipped inputs and burstiness, monotone boosted trees', [...shipped, 'burstiness'], monotoneBoosting),
  ]
}
