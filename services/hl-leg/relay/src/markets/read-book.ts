import { Outage } from '@svc/service'
import type { BookLevel } from '@svc/venue/rules/walk-book'
import type { Context } from '#context.ts'
import type { Terms } from '#cache/venue-answers.ts'

/** A book at a time of the venue, best offers first. */
export interface RelayedBook {
  readonly at: Date
  readonly readAt: Date
  readonly stale: boolean
  readonly bids: readonly BookLevel[]
  readonly asks: readonly BookLevel[]
}

/** Most that the venue's time of a book may lie behind the time at which it was read. */
const LAG_MS_MAX = 60_000

/** Reads the book of a listed market. Rejects with an outage if the venue has none, or a book of long ago. */
export async function readBook(
  { answers }: Pick<Context, 'answers'>,
  terms: Terms,
  coin: string,
): Promise<RelayedBook> {
  const { data, at: readAt, stale } = await answers.ask(terms, 'l2Book', { coin })
  if (data === null || data.coin !== coin) throw new Outage('venue', 'the venue has no book of this market')
  if (readAt.getTime() - data.time > LAG_MS_MAX) throw new Outage('venue', 'the book of this market is too old')
  const [bids, asks] = data.levels.map((side) => side.map(({ px, sz }) => ({ price: px, size: sz })))
  return { at: new Date(data.time), readAt, stale, bids: bids ?? [], asks: asks ?? [] }
}
