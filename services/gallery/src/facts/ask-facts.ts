import type { HallMandate } from '@svc/contracts/mandates/facts'
import type { Context } from '#context.ts'
import type { Dirty } from './store/dirty.ts'

/** Answers that one page may take; a page that needs more fails and is asked for again. */
const ANSWERS_MAX = 1_000

type Asked = Pick<Dirty, 'id' | 'from_day'>

/** Returns the day before a UTC day. */
const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)

/**
 * Asks mandates for the facts of a page, until no day is left. The day before the first changed one is asked for too:
 * it ends with the point from which the next day goes on. An unknown mandate is missing.
 */
export async function askFacts(
  ask: Context['ask'],
  page: readonly Asked[],
): Promise<ReadonlyMap<string, { readonly mandate: HallMandate; readonly fromDay: string | null }>> {
  const found = new Map<string, { mandate: HallMandate; fromDay: string | null }>()
  const from = new Map(page.map(({ id, from_day }) => [id, from_day === null ? null : dayBefore(from_day)]))
  let items = page.map(({ id }) => ({ public_id: id, from_day: from.get(id) ?? null }))
  for (let answers = 0; items.length > 0; answers += 1) {
    if (answers === ANSWERS_MAX)
      throw new Error(`mandates left days of ${items.length} mandates after ${answers} answers`)
    const { mandates, left } = await ask.mandates.readHallFacts({ items })
    for (const mandate of mandates) {
      const before = found.get(mandate.public_id)
      const days = [...(before?.mandate.days ?? []), ...mandate.days]
      found.set(mandate.public_id, { mandate: { ...mandate, days }, fromDay: from.get(mandate.public_id) ?? null })
    }
    items = left
  }
  return found
}
