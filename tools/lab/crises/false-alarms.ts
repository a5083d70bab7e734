import type { CrisisRule } from '@svc/market-data/crisis/rules/crisis-rules'
import type { Judged } from './measure.ts'
import { poissonInterval } from './poisson.ts'
import type { Kind } from './replay.ts'

const WEEK_MINUTES = 7 * 1_440

/** False alarms of a rule on recordings of one kind: pairs that are not in danger. */
export interface Alarms {
  readonly pairWeeks: number
  readonly count: number
  /** Alarms per 100 pairs a week with the exact 95 % interval; null if the rule could judge nothing. */
  readonly per100: { readonly value: number; readonly low: number; readonly high: number } | null
}

/** Returns the false alarms of a rule, or of all rules together, on recordings of one kind. */
export function falseAlarms(judged: readonly Judged[], kind: Kind, rule: CrisisRule | 'any'): Alarms {
  const own = judged.filter(({ replay }) => replay.kind === kind && (rule !== 'any' || replay.only === undefined))
  const minutes = own.map((one) => (rule === 'any' ? one.shown.all : one.minutes[rule]))
  const pairWeeks = minutes.reduce((sum, one) => sum + one, 0) / WEEK_MINUTES
  const alarms = own.flatMap(({ opened }) =>
    opened.filter((one) => !one.inDanger && (rule === 'any' || one.rule === rule)),
  )
  const per100 = (count: number) => (count / pairWeeks) * 100
  const [low, high] = poissonInterval(alarms.length)
  return {
    pairWeeks,
    count: alarms.length,
    per100: pairWeeks === 0 ? null : { value: per100(alarms.length), low: per100(low), high: per100(high) },
  }
}
