import type { BoardEntry } from './board.ts'
import { riskText } from './delisting-risk-text.ts'
import { COMPONENTS, pointsOf, weightOf } from './grades.ts'

const UNITS = { spread: 'bps', depth: 'usd', volume: 'usd', stability: 'share' } as const

/** Returns the risk score of an entry with its factors and a text; null for a pair that does not trade. */
export function explainedRisk({ risk, instance_id, row }: BoardEntry) {
  if (risk === null) return null
  const factors = risk.factors.map((factor) => ({
    ...factor,
    is_lower_bound: factor.key === 'depth_2pct_usd' && row.depth_is_lower_bound,
  }))
  return { ...risk, factors, text: riskText({ id: String(instance_id), ...risk }, row.depth_is_lower_bound) }
}

/** Returns the contribution of each component to the grade point average. */
export function componentsOf({ row, values, percentiles, counts }: BoardEntry) {
  return COMPONENTS.map((key) => {
    const grade = row.grades[key]
    const points = grade === null ? null : pointsOf(grade)
    const weight = weightOf(key)
    return {
      key,
      value: values[key],
      is_lower_bound: key === 'depth' && row.depth_is_lower_bound,
      unit: UNITS[key],
      grade,
      points,
      weight,
      contribution: points === null ? null : Math.round(points * weight * 1000) / 1000,
      percentile: percentiles[key],
      n: counts[key],
    }
  })
}
