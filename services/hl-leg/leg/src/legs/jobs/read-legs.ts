import { isOutage, type Job } from '@svc/service'
import type { Context } from '#context.ts'
import { takeJudged } from '#readings/take-reading.ts'
import { hasPosition } from '@svc/venue/rules/reading'
import { askMode } from '../ask-mode.ts'
import { busyLegs } from '../busy-legs.ts'
import { legsToRead, setReadDue } from '../store/legs.ts'
import { tellUnexplained } from '../tell-unexplained.ts'

/** Legs that one tick reads. */
const LEGS_MAX = 500
/** Legs without money out or position are read this often. */
const IDLE_SEC = 600
/** Pause after a reading that failed. */
const AGAIN_SEC = 10
/** Shortest interval between two readings of a leg. */
const BUSY_SEC_MIN = 1

/**
 * Reads the accounts of live legs that are due: those with money out or a position four times within the maximum age of
 * a reading, the others every ten minutes. A leg that cannot be read keeps its last good reading and is tried again; the
 * tick ends when the weight for readings is spent.
 */
export const readLegs =
  (context: Context): Job =>
  async (signal) => {
    const { pool, clock, settings, venue } = context
    const busySec = Math.max(BUSY_SEC_MIN, Math.floor(settings.readingMaxAgeSec / 4))
    const due = await legsToRead(pool, venue.network, clock.now(), LEGS_MAX)
    const busy = await busyLegs(context, due)
    // Those with money first: they are what the weight is for.
    const ordered = [
      ...due.filter(({ publicId }) => busy.has(publicId)),
      ...due.filter((one) => !busy.has(one.publicId)),
    ]
    let done = 0
    let failed = 0
    for (const leg of ordered) {
      if (signal.aborted) break
      const later = (sec: number) => setReadDue(pool, leg.publicId, new Date(clock.now().getTime() + sec * 1000))
      try {
        const { reading, cash } = await takeJudged(context, 'worth', leg)
        // A change of the account's mode moves its cash and leaves no row.
        if (cash === 'unexplained') await askMode(context, 'worth', leg)
        await later(busy.has(leg.publicId) || hasPosition(reading) ? busySec : IDLE_SEC)
        done += 1
      } catch (error) {
        if (!isOutage(error)) throw error
        failed += 1
        context.log.warn({ public_id: leg.publicId, err: error }, 'a leg could not be read; its last reading stays')
        await later(AGAIN_SEC)
      }
    }
    const told = await tellUnexplained(context)
    return { done, failed, told, nextAt: new Date(clock.now().getTime() + Math.min(busySec, AGAIN_SEC) * 1000) }
  }
