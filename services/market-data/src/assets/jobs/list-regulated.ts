import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { VenueError, type Ask } from '#venues/rules/venue.ts'
import type { OpenVenue } from '#venues/open-venues.ts'
import { logUnread } from '#venues/venue-errors.ts'
import { REGULATED_LIST_AGE_MAX_MS, tradedAssets } from '../rules/regulated-venues.ts'
import { insertRegulatedList, newestRegulatedLists, type StoredList } from '../store/regulated-lists.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'pool' | 'clock' | 'log' | 'breadth' | 'breadthNext' | 'errors'>

const EVERY_MS = 24 * 3_600_000
const RETRY_MS = 10 * 60_000
/** A list with a smaller share of the assets of the last one is incomplete. */
const COMPLETE_SHARE = 0.9

/**
 * Reads the market list of each regulated venue once a day and stores its assets. A failure or a short list stores nothing:
 * the last list ages and then stops to count.
 */
export const listRegulated =
  (context: Parts): Job =>
  async (signal) => {
    const { breadth, breadthNext, pool, clock } = context
    const now = clock.now().getTime()
    const due = [...breadth].filter(([venue]) => (breadthNext.get(venue) ?? 0) <= now)
    if (due.length === 0) return { done: 0, ...nextOf(context) }
    const known = new Map(
      (await newestRegulatedLists(pool, [...breadth.keys()])).map((list) => [list.venue, list] as const),
    )
    const done = await Promise.all(
      due.map(([venue, open]) => readList(context, open, known.get(venue) ?? null, signal)),
    )
    return { done: done.filter(Boolean).length, ...nextOf(context) }
  }

const nextOf = ({ breadth, breadthNext }: Parts) =>
  breadth.size === 0
    ? {}
    : { nextAt: new Date(Math.min(...[...breadth.keys()].map((one) => breadthNext.get(one) ?? 0))) }

/** A list that does not count any more refutes nothing: then a smaller one is the new measure. */
const isShort = (assets: number, last: StoredList | null, now: number): boolean =>
  last !== null && now - last.readAt <= REGULATED_LIST_AGE_MAX_MS && assets < last.bases.size * COMPLETE_SHARE

/** Reads and stores one list when the last one is a day old. Returns whether it was stored. */
async function readList(
  context: Parts,
  { adapter }: OpenVenue,
  last: StoredList | null,
  signal: AbortSignal,
): Promise<boolean> {
  const { pool, clock, log, breadthNext } = context
  const { exchange } = adapter
  const now = clock.now()
  // A replay's list says nothing about a real venue, so a change of the source is read at once.
  if (last !== null && last.source === adapter.source && now.getTime() - last.readAt < EVERY_MS) {
    breadthNext.set(exchange, last.readAt + EVERY_MS)
    return false
  }
  breadthNext.set(exchange, now.getTime() + RETRY_MS)
  try {
    const ask: Ask = { priority: 'rotation', signal }
    const assets = tradedAssets((await adapter.listMarkets(ask)).markets)
    if (assets.length === 0 || isShort(assets.length, last, now.getTime()))
      throw new VenueError(exchange, 'short_list', `${assets.length} assets after ${last?.bases.size ?? 0}`)
    const stored = await insertRegulatedList(pool, { venue: exchange, readAt: now, source: adapter.source, assets })
    breadthNext.set(exchange, now.getTime() + EVERY_MS)
    log.info({ exchange, assets: assets.length, stored }, 'regulated list')
    return stored
  } catch (error) {
    logUnread(context, signal, error, 'regulated list not read')
    return false
  }
}
