import { worthOf, type OtherLists, type SampleWorth } from './worth.ts'
import { crossValidated, singleFeatures, transferred, type FeatureAuc, type Rival } from './compare.ts'
import type { Sample } from './samples.ts'
import {
  areaUnderCurve,
  bootstrapInterval,
  brier,
  fitIsotonic,
  isotonicShare,
  median,
  permutationP,
  type IsotonicStep,
} from './statistics.ts'

export interface Separation {
  readonly sample: Sample
  readonly events: number
  readonly auc: number
  readonly interval: readonly [low: number, high: number]
  readonly p: number
}

/** Tokens at or above a score: how many were delisted, and how long after the snapshot that was announced. */
export interface Alarm {
  readonly fromScore: number
  readonly flagged: number
  readonly delisted: number
  /** Of all delisted tokens of the sample. */
  readonly caught: number
  readonly medianDays: number | null
  readonly fastestDays: number | null
}

export interface Bin {
  readonly fromScore: number
  readonly toScore: number
  readonly n: number
  readonly forecast: number
  readonly observed: number
}

/** A probability learned on one sample and judged on another, both labelled within the same number of days. */
export interface Calibration {
  readonly days: number
  readonly trainEvents: number
  readonly testEvents: number
  readonly steps: readonly IsotonicStep[]
  readonly brier: number
  /** Of a forecast that always says the training sample's share of events. */
  readonly brierTrainRate: number
  /** Of a forecast that always says the test sample's own share, which nobody can know beforehand. */
  readonly brierTestRate: number
  /** Score minus `brierTrainRate`; negative is better than the base rate. */
  readonly gainInterval: readonly [low: number, high: number]
  readonly bins: readonly Bin[]
}

/** All figures of the calibration page. The same samples give the same figures. */
export interface Measured {
  readonly separation: readonly Separation[]
  readonly deciles: readonly (readonly Bin[])[]
  readonly alarms: readonly (readonly Alarm[])[]
  readonly calibrations: readonly Calibration[]
  readonly features: readonly FeatureAuc[]
  readonly crossValidated: readonly Rival[]
  readonly transferred: readonly Rival[]
  readonly worth: readonly SampleWorth[]
}

/** Returns each score, and whether a delisting was announced within so many days. */
export const labelled = ({ tokens }: Sample, days = Infinity) =>
  tokens.map(({ score, daysToAnnouncement }) => ({
    score,
    event: daysToAnnouncement !== null && daysToAnnouncement <= days,
  }))

export function separate(sample: Sample): Separation {
  const points = labelled(sample)
  return {
    sample,
    events: points.filter(({ event }) => event).length,
    auc: areaUnderCurve(points),
    interval: bootstrapInterval(points, areaUnderCurve),
    p: permutationP(points),
  }
}

function alarms({ tokens }: Sample): Alarm[] {
  const all = tokens.filter(({ daysToAnnouncement }) => daysToAnnouncement !== null).length
  return [50, 60, 70, 80, 90].map((fromScore) => {
    const flagged = tokens.filter(({ score }) => score >= fromScore)
    const days = flagged.flatMap(({ daysToAnnouncement }) => daysToAnnouncement ?? [])
    return {
      fromScore,
      flagged: flagged.length,
      delisted: days.length,
      caught: days.length / all,
      medianDays: median(days),
      fastestDays: days.length === 0 ? null : Math.min(...days),
    }
  })
}

function bins(points: readonly { score: number; event: boolean; forecast: number }[], count: number): Bin[] {
  const width = 100 / count
  return Array.from({ length: count }, (_, index) => {
    const [fromScore, toScore] = [index * width, (index + 1) * width]
    const inside = points.filter(({ score }) => score >= fromScore && score < toScore)
    const n = inside.length
    return {
      fromScore,
      toScore,
      n,
      forecast: inside.reduce((sum, { forecast }) => sum + forecast, 0) / n,
      observed: inside.filter(({ event }) => event).length / n,
    }
  })
}

function calibrate(train: Sample, test: Sample, days: number): Calibration {
  const trained = labelled(train, days)
  const steps = fitIsotonic(trained)
  const points = labelled(test, days).map((point) => ({ ...point, forecast: isotonicShare(steps, point.score) }))
  const trainEvents = trained.filter(({ event }) => event).length
  const testEvents = points.filter(({ event }) => event).length
  const always = (forecast: number) => (all: readonly { event: boolean }[]) =>
    brier(all.map(({ event }) => ({ event, forecast })))
  const byTrainRate = always(trainEvents / trained.length)
  return {
    days,
    trainEvents,
    testEvents,
    steps,
    brier: brier(points),
    brierTrainRate: byTrainRate(points),
    brierTestRate: always(testEvents / points.length)(points),
    gainInterval: bootstrapInterval(points, (all) => brier(all) - byTrainRate(all)),
    bins: bins(points, 5),
  }
}

export function measure(spot: Sample, perp: Sample, others: OtherLists): Measured {
  const samples = [spot, perp]
  return {
    separation: samples.map(separate),
    deciles: samples.map((sample) =>
      bins(
        labelled(sample).map((point) => ({ ...point, forecast: NaN })),
        10,
      ),
    ),
    alarms: samples.map(alarms),
    calibrations: [calibrate(spot, perp, Math.ceil(perp.horizonDays)), calibrate(spot, perp, Infinity)],
    features: singleFeatures(samples),
    crossValidated: crossValidated(spot),
    transferred: transferred(spot, perp),
    worth: samples.map((sample) => worthOf(sample, others)),
  }
}
