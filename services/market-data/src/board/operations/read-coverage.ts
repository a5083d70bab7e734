import { ok } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import type { BoundHandler } from '@svc/service'
import { snapshotOf } from '../board-answer.ts'
import type { Context } from '#context.ts'
import { currentLists, REGULATED_VENUES } from '#assets/rules/regulated-venues.ts'
import { newestRegulatedLists } from '#assets/store/regulated-lists.ts'
import { scannedPairs, venueCoverage } from '#listings/store/venues.ts'

export const readCoverage: BoundHandler<Context, typeof marketData.operations.readCoverage> = (context) => async () => {
  const { pool, clock, venues } = context
  const board = await context.board.latest()
  const entries = Map.groupBy(board?.ranked ?? [], (entry) => entry.row.exchange)
  const places = new Map((await scannedPairs(pool, null)).map((one) => [one.exchange, one]))
  const exchanges = await Promise.all(
    (await venueCoverage(pool, clock.now())).map(async (venue) => {
      const own = entries.get(venue.exchange) ?? []
      const living = own.filter(({ row }) => row.lifecycle !== 'delisted')
      const halted = living.filter(({ row }) => row.lifecycle === 'halted').length
      const closedForMs = await (venues.get(venue.exchange)?.budget.closedForMs() ?? Promise.resolve(0)).catch(() => 0)
      return {
        exchange: venue.exchange,
        source: venue.source,
        pairs: living.length - halted,
        graded: living.filter(({ row }) => row.gpa !== null).length,
        named: living.filter(({ row }) => row.name !== null).length,
        named_ko: living.filter(({ row }) => row.name_ko !== null).length,
        halted,
        delisted: own.length - living.length,
        listed_at: venue.listed_at,
        observed_at: venue.observed_at,
        depth_share:
          living.length === 0 ? null : living.filter(({ counts }) => counts.depth > 0).length / living.length,
        budget_closed_until: closedForMs === 0 ? null : new Date(clock.now().getTime() + closedForMs).toISOString(),
        ...placesOf(venues, places.get(venue.exchange)),
        errors_1h: [...venue.errors],
        announcements: venue.announcements,
      }
    }),
  )
  const all = exchanges.reduce((sum, one) => ({ pairs: sum.pairs + one.pairs, graded: sum.graded + one.graded }), {
    pairs: 0,
    graded: 0,
  })
  return ok(200, {
    ...snapshotOf(board, context),
    ...all,
    exchanges,
    regulated_lists: await regulatedCoverage(context),
  })
}

async function regulatedCoverage({ pool, clock }: Context) {
  const ids = REGULATED_VENUES.map(({ id }) => id)
  const lists = await newestRegulatedLists(pool, ids)
  const counted = new Set(currentLists(lists, clock.now().getTime()).map(({ venue }) => venue))
  const byVenue = new Map(lists.map((list) => [list.venue, list]))
  return ids.map((venue) => {
    const list = byVenue.get(venue)
    return {
      venue,
      read_at: list === undefined ? null : new Date(list.readAt).toISOString(),
      source: list?.source ?? null,
      assets: list?.bases.size ?? null,
      counted: counted.has(venue),
    }
  })
}

const placesOf = (venues: Context['venues'], place: Awaited<ReturnType<typeof scannedPairs>>[number] | undefined) => ({
  scan_capacity: (place && venues.get(place.exchange)?.scanCapacity(place.listed)) ?? null,
  scan_pairs: place?.scanned ?? 0,
})
