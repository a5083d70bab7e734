import type { HallDetail } from '@svc/contracts/gallery/hall'
import { differs } from './problem.ts'

/** Compares basis points, of which the last may be rounded otherwise. */
export function within(figure: string, said: number | null, found: number | null): void {
  const isSame = said === null || found === null ? said === found : Math.abs(said - found) <= 1
  if (!isSame) differs(figure, said, found)
}

const DAY_MS = 86_400_000

/** Compares an index by day, of which the last hundredth may be rounded otherwise. */
export function sameSeries(figure: string, said: HallDetail['series'], found: ReadonlyMap<string, number>): void {
  if (said === null) {
    if (found.size > 0) differs(figure, said, [...found.keys()])
    return
  }
  const days = said.values.map((_, at) => new Date(Date.parse(said.from) + at * DAY_MS).toISOString().slice(0, 10))
  for (const [at, day] of days.entries()) {
    const [value, computed] = [said.values[at] ?? null, found.get(day) ?? null]
    const isSame = value === null || computed === null ? value === computed : Math.abs(value - computed) <= 0.0151
    if (!isSame) differs(`${figure} ${day}`, value, computed === null ? null : Number(computed.toFixed(2)))
  }
  const missing = [...found.keys()].find((day) => day > (days.at(-1) ?? ''))
  if (missing !== undefined) differs(`${figure} ${missing}`, null, found.get(missing))
}
