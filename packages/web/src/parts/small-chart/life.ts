/** Daily index of a mandate as the Hall answers it. */
export interface Series {
  readonly from: string
  readonly values: readonly (number | null)[]
}

/** Range of indices that a group of small charts has in common. */
export interface Range {
  readonly low: number
  readonly high: number
}

const DAY_MS = 86_400_000
const ROOM = 0.06

/** Returns the range in which all series and lines stand; 100, where each began, is always in it. */
export function rangeOf(series: readonly (Series | null)[], lines: readonly (number | null)[] = []): Range {
  let [low, high] = [100, 100]
  const take = (value: number | null) => {
    if (value === null) return
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  for (const one of series) one?.values.forEach(take)
  lines.forEach(take)
  const room = Math.max((high - low) * ROOM, 0.5)
  return { low: Math.max(0, low - room), high: high + room }
}

/** Returns where an index stands in a range, 0 at the top and 1 at the bottom. */
export const heightOf = (value: number, { low, high }: Range): number =>
  1 - (Math.min(high, Math.max(low, value)) - low) / (high - low)

/**
 * Returns steps of a series as path of an SVG: a day is as wide as any other, and a day without a rating is a gap, never
 * a straight line.
 */
export function stepsOf({ values }: Series, range: Range, width: number, height: number): string {
  const step = width / Math.max(1, values.length)
  let path = ''
  let drawn = false
  values.forEach((value, at) => {
    if (value === null) {
      drawn = false
      return
    }
    const y = round(heightOf(value, range) * height)
    path += `${drawn ? 'V' : `M${round(at * step)} `}${y}H${round((at + 1) * step)}`
    drawn = true
  })
  return path
}

const round = (value: number): number => Math.round(value * 100) / 100

/** Returns the days of a series with their indices, newest first, for its table. */
export function daysOf({ from, values }: Series): readonly { readonly day: string; readonly value: number | null }[] {
  const first = Date.parse(`${from}T00:00:00Z`)
  return values
    .map((value, at) => ({ day: new Date(first + at * DAY_MS).toISOString().slice(0, 10), value }))
    .toReversed()
}

/** Returns the last day of a series. */
export const lastDayOf = (series: Series): string => daysOf(series)[0]?.day ?? series.from

/** Returns the last rated index of a series; null without one. */
export const lastIndexOf = ({ values }: Series): number | null => values.findLast((value) => value !== null) ?? null
