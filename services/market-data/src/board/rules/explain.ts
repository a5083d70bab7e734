import type { BoardEntry } from './board.ts'
import { riskText } from './delisting-risk-text.ts'
import { COMPONENTS, pointsOf, weightOf } from './grades.ts'

const UNITS = { spread: 'bps', depth: 'usd', volume: 'usd', stability: 'share' } as const

/** Minutes behind the medians of books, and behind the venue's own turnover of a day. */
const [BOOK_MINUTES, DAY_MINUTES] = [120, 1_440]

/** Returns the minutes that an input or component covers; null for one without a window. */
function windowOf(key: string, { counts }: BoardEntry): number | null {
  if (key === 'stability' || key === 'zero_trade_share' || key === 'amihud') return counts.stability
  if (key === 'volume' || key === 'volume_24h_usd') return DAY_MINUTES
  return ['spread', 'depth', 'spread_bps', 'depth_2pct_usd'].includes(key) ? BOOK_MINUTES : null
}

/** Returns the risk score of an entry with its factors and a text; null for a pair that does not trade. */
export function explainedRisk(entry: BoardEntry) {
  const { risk, instance_id, row, counts } = entry
  if (risk === null) return null
  const factors = risk.factors.map((factor) => ({
    ...factor,
    is_lower_bound: factor.key === 'depth_2pct_usd' && row.depth_is_lower_bound,
    window_minutes: windowOf(factor.key, entry),
  }))
  return {
    ...risk,
    factors,
    text: riskText(
      { id: String(instance_id), ...risk },
      { depthIsLowerBound: row.depth_is_lower_bound, candleMinutes: counts.stability },
    ),
  }
}

/** Returns the contribution of each component to the grade point average. */
export function componentsOf(entry: BoardEntry) {
  const { row, values, percentiles, counts } = entry
  return COMPONENTS.map((key) => {
    const grade = row.grades[key]
    const points = grade === null ? null : pointsOf(grade)
    const weight = weightOf(key)
    return {
      key,
      value: values[key],
      is_lower_bound: key === 'depth' && row.depth_is_lower_bound,
      window_minutes: windowOf(key, entry),
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
