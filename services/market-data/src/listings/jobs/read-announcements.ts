import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import type { Ask } from '#venues/rules/venue.ts'
import { ANNOUNCED, announcementFlags, LONGEST_MS } from '../rules/announcement-flags.ts'
import { flagChanges } from '../rules/flag-changes.ts'
import { insertAnnouncements, noticesSince } from '../store/announcements.ts'
import { insertFlagEvents, standingFlags } from '../store/flags.ts'
import { listedInstances } from '../store/tokens.ts'
import { isListed, lockVenue } from '../store/venues.ts'

const MINUTE_MS = 60_000

/**
 * Reads each venue's announcements every minute, stores new ones, and raises and ends the flags that they mean. A failure
 * changes nothing; the next minute reads again.
 */
export const readAnnouncements =
  (context: Context): Job =>
  async (signal) => {
    const ask: Ask = { priority: 'rotation', signal }
    const stored = await Promise.all([...context.led.keys()].map((exchange) => readVenue(context, exchange, ask)))
    const minute = Math.floor(context.clock.now().getTime() / MINUTE_MS)
    return { done: stored.reduce((sum, one) => sum + one, 0), nextAt: new Date((minute + 1) * MINUTE_MS) }
  }

async function readVenue({ led, pool, clock, errors, log }: Context, exchange: string, ask: Ask): Promise<number> {
  const adapter = led.get(exchange)?.adapter
  // Announcements of a venue whose pairs are unknown would flag nothing, and their first sight would be lost.
  if (adapter === undefined || !(await isListed(pool, exchange))) return 0
  try {
    const told = await adapter.announcements(ask)
    if (told === null) return 0
    const now = clock.now()
    const fresh = await pool.transaction(async (tx) => {
      // Of two processes the second one finds what the first one raised.
      await lockVenue(tx, exchange, adapter.source)
      const count = await insertAnnouncements(tx, exchange, told, now)
      const instances = await listedInstances(tx, exchange)
      const notices = await noticesSince(tx, exchange, new Date(now.getTime() - LONGEST_MS))
      const flags = announcementFlags(notices, instances, now.getTime())
      const standing = (await standingFlags(tx, exchange)).filter(({ flag }) => flag.startsWith(ANNOUNCED))
      await insertFlagEvents(tx, flagChanges(standing, instances, flags), now)
      return count
    })
    if (fresh > 0) log.info({ exchange, announcements: fresh }, 'announcements')
    return fresh
  } catch (error) {
    log.warn({ exchange, reason: errors.count(error).message }, 'announcements not read')
    return 0
  }
}
