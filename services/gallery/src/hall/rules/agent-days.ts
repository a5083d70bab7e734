/** A rated day of one mandate: what it had at work at the beginning and at most, and the result on the latter. */
export interface MandateDay {
  /** Days since 1970-01-01. */
  readonly day: number
  readonly start: number
  readonly peak: number
  readonly gain: number
}

/** A rated day of an agent. */
export interface AgentDay {
  readonly day: number
  /** Result of the day, −1 at least. */
  readonly result: number
}

/**
 * Returns the mean result of mandates on one day, weighted by what each had at work. Money that came in during the day
 * may count or not: the lowest mean that any such weights give is taken, so that a deposit into one mandate dilutes no
 * loss of another. Null if nothing was rated.
 */
export function meanResult(mandates: readonly Omit<MandateDay, 'day'>[]): number | null {
  let weight = 0
  let gain = 0
  let moved = false
  for (const one of mandates) {
    if (one.peak <= 0) continue
    weight += one.peak
    gain += one.gain
    moved ||= one.start !== one.peak
  }
  if (weight === 0) return null
  if (!moved) return gain / weight
  // With the mandates in the order of their results, the lowest mean counts all of the worse ones and the start of the others.
  const ordered = mandates
    .filter(({ peak }) => peak > 0)
    .map(({ start, peak, gain: won }) => ({ start, peak, result: won / peak }))
    .sort((a, b) => a.result - b.result)
  let starts = 0
  let startGain = 0
  for (const { start, result } of ordered) {
    starts += start
    startGain += start * result
  }
  let lowest = starts > 0 ? startGain / starts : Number.POSITIVE_INFINITY
  for (const { start, peak, result } of ordered) {
    starts += peak - start
    startGain += (peak - start) * result
    lowest = Math.min(lowest, startGain / starts)
  }
  return lowest
}

/** Returns the rated days of an agent, oldest first, from the days of its mandates. */
export function agentDays(mandates: readonly (readonly MandateDay[])[]): readonly AgentDay[] {
  const [only] = mandates
  const byDay = new Map<number, MandateDay[]>()
  if (mandates.length === 1 && only !== undefined) for (const one of only) byDay.set(one.day, [one])
  else
    for (const days of mandates)
      for (const one of days) {
        const others = byDay.get(one.day)
        if (others === undefined) byDay.set(one.day, [one])
        else others.push(one)
      }
  const rated: AgentDay[] = []
  for (const [day, found] of byDay) {
    const result = meanResult(found)
    if (result !== null) rated.push({ day, result })
  }
  return rated.sort((a, b) => a.day - b.day)
}

/** Result of a period, with its largest drawdown, both as fractions. */
export interface Performance {
  readonly change: number
  readonly drawdown: number
}

/** Chains daily results; null without a day. The drawdown is that of the index, which begins at its first value. */
export function performanceOf(days: readonly AgentDay[]): Performance | null {
  if (days.length === 0) return null
  let index = 1
  let top = 1
  let drawdown = 0
  for (const { result } of days) {
    index *= 1 + result
    if (index > top) top = index
    else if (top > 0) drawdown = Math.max(drawdown, 1 - index / top)
  }
  return { change: index - 1, drawdown }
}
