import type { HallRow } from '@svc/contracts/gallery/hall'
import type { MandateDay } from './agent-days.ts'
import type { Span } from './days-live.ts'
import type { MandateInput } from './inputs.ts'

/** Returns the closed days on which a mandate was open and funded. */
export const spanOf = ({ opened, ended, principal }: MandateInput, today: number): Span => ({
  first: opened ?? today,
  last: principal > 0 ? Math.min(ended ?? today - 1, today - 1) : -Infinity,
})

/** Returns the rated days of a mandate that are closed. */
export const ratedDays = ({ days }: MandateInput, today: number): readonly MandateDay[] =>
  days.filter(({ day }) => day < today)

/** Most basis points that an answer has: a change of 20,000,000 %. */
const BPS_MAX = 2_000_000_000

/** Returns a fraction in basis points; null for none. */
export function bpsOf(fraction: number | null | undefined): number | null {
  if (fraction === null || fraction === undefined) return null
  return Math.min(BPS_MAX, Math.max(-10_000, Math.round(fraction * 10_000))) + 0
}

/** Returns the refusals of mandates from a day on, by kind in the order of the alphabet. */
export function refusalsOf(mandates: readonly Pick<MandateInput, 'refusals'>[], first: number): HallRow['refusals'] {
  const byKind = new Map<string, number>()
  for (const { refusals } of mandates)
    for (const [day, kinds] of refusals)
      if (day >= first) for (const [kind, n] of Object.entries(kinds)) byKind.set(kind, (byKind.get(kind) ?? 0) + n)
  return {
    total: [...byKind.values()].reduce((sum, n) => sum + n, 0),
    by_kind: Object.fromEntries([...byKind].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}
