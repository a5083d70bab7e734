const DAY_MS = 86_400_000

/** Days over which the rank of a pair is averaged. */
export const MEMORY_SPANS = [30, 90, 365] as const

/** The rank of a pair on a UTC day, 0 to 99. */
export interface RankDay {
  readonly day: string
  readonly rank: number
}

/** The mean of the daily ranks of the last `days` days, today included; null if fewer than half of them are known. */
export interface RankMemory {
  readonly days: number
  readonly mean: number | null
  readonly known: number
}

/**
 * Returns how a pair ranked over time. Defined in this form before it was measured: see docs/method/delisting-risk.md. It is no part
 * of the score.
 */
export function rankMemory(ranks: readonly RankDay[], today: string): RankMemory[] {
  return MEMORY_SPANS.map((days) => {
    const after = Date.parse(today) - days * DAY_MS
    const within = ranks.filter(({ day }) => Date.parse(day) > after && day <= today)
    const sum = within.reduce((total, { rank }) => total + rank, 0)
    const mean = within.length * 2 < days ? null : Math.round((sum / within.length) * 10) / 10
    return { days, mean, known: within.length }
  })
}
