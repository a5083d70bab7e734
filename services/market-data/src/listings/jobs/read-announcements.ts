import { metrics } from '@opentelemetry/api'
import type { Tx } from '@svc/postgres'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import type { Ask } from '#venues/rules/venue.ts'
import { logUnread } from '#venues/venue-errors.ts'
import { ANNOUNCED, announcementFlags, LONGEST_MS } from '../rules/announcement-flags.ts'
import { isAboutDanger, wordingOf, type Wording } from '../rules/announcement-wording.ts'
import { flagChanges } from '../rules/flag-changes.ts'
import { insertAnnouncements, noteReading, noticesSince, putWording } from '../store/announcements.ts'
import { insertFlagEvents, standingFlags } from '../store/flags.ts'
import { listedInstances } from '../store/tokens.ts'
import { isListed, lockVenue } from '../store/venues.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'pool' | 'clock' | 'log' | 'led' | 'errors'>

const MINUTE_MS = 60_000
/**
 * Pages of announcements are read in the middle of a minute, because quotes of all pairs are read at its beginning. At a
 * venue where both together cost more than a full allowance, one of them would always be refused.
 */
const MIDDLE_MS = 30_000
/** Longest wait: the dearest page costs a whole allowance, which fills up within a quarter of its window. */
const WAIT_MS = 10_000
/** Most titles of one line of the log. */
const TOLD_MAX = 5
const meter = metrics.getMeter('market-data')
const unreadTitles = meter.createCounter('hub_announcements_unread_total', {
  description: 'Titles about a delisting or a warning that fit no known form, each counted once',
})
const alarms = meter.createCounter('hub_announcement_wording_total', {
  description: 'Times at which the wording of a venue turned: nothing_read, no_known_title, or known again',
})

/**
 * Reads each venue's announcements every minute, stores new ones, and raises and ends the flags that they mean. A failure
 * changes nothing; the next minute reads again.
 */
export const readAnnouncements =
  (context: Parts): Job =>
  async (signal) => {
    const ask: Ask = { priority: 'rotation', signal, waitMs: WAIT_MS }
    const stored = await Promise.all([...context.led.keys()].map((exchange) => readVenue(context, exchange, ask)))
    return { done: stored.reduce((sum, one) => sum + one, 0), nextAt: nextMiddle(context.clock.now()) }
  }

/** Returns the next middle of a minute. */
const nextMiddle = (now: Date): Date =>
  new Date((Math.floor((now.getTime() - MIDDLE_MS) / MINUTE_MS) + 1) * MINUTE_MS + MIDDLE_MS)

async function readVenue(context: Parts, exchange: string, ask: Ask): Promise<number> {
  const { led, pool, clock, log } = context
  const adapter = led.get(exchange)?.adapter
  // Announcements of a venue whose pairs are unknown would flag nothing, and their first sight would be lost.
  if (adapter === undefined || !(await isListed(pool, exchange))) return 0
  try {
    const told = await adapter.announcements(ask)
    if (told === null) return 0
    const now = clock.now()
    const { fresh, turned } = await pool.transaction(async (tx) => {
      // Of two processes the second one finds what the first one raised.
      await lockVenue(tx, exchange, adapter.source)
      const titles = await insertAnnouncements(tx, exchange, told, now)
      const instances = await listedInstances(tx, exchange)
      const notices = await noticesSince(tx, exchange, new Date(now.getTime() - LONGEST_MS))
      const flags = announcementFlags(notices, instances, now.getTime())
      const standing = (await standingFlags(tx, exchange)).filter(({ flag }) => flag.startsWith(ANNOUNCED))
      await insertFlagEvents(tx, flagChanges(standing, instances, flags), now)
      return { fresh: titles, turned: await judgeWording(tx, exchange, told.length > 0, now) }
    })
    if (fresh.length > 0) log.info({ exchange, announcements: fresh.length }, 'announcements')
    tellUnread(context, exchange, fresh)
    if (turned !== null) {
      alarms.add(1, { exchange, wording: turned })
      log.warn({ exchange, wording: turned }, 'wording of announcements')
    }
    return fresh.length
  } catch (error) {
    logUnread(context, ask.signal, error, 'announcements not read')
    return 0
  }
}

/** Stores what the reading says of the page's wording; returns it if it has turned, so that it is told once. */
async function judgeWording(tx: Tx, exchange: string, held: boolean, now: Date): Promise<Wording | null> {
  const { wording: before, heldAt, knownAt } = await noteReading(tx, exchange, held, now)
  const wording = wordingOf({ now: now.getTime(), heldAt, knownAt })
  if (wording === before) return null
  await putWording(tx, exchange, wording)
  return wording
}

/** Tells of new titles about a delisting or a warning that no form reads. A title is new once. */
function tellUnread(
  { log }: Parts,
  exchange: string,
  fresh: readonly { readonly title: string; readonly meaning: string | null }[],
): void {
  const unread = fresh.filter(({ title, meaning }) => meaning === null && isAboutDanger(title))
  if (unread.length === 0) return
  unreadTitles.add(unread.length, { exchange })
  log.warn({ exchange, titles: unread.slice(0, TOLD_MAX).map(({ title }) => title) }, 'titles of no known form')
}
