import { marketData } from '@svc/contracts/market-data'
import type { Job } from '@svc/service'
import type { Context } from '../context.ts'
import { openMissingTurns } from '../store/scan-turns.ts'
import { dropPartitions, makePartitions, packHour } from '../store/scans.ts'

const DAY_MS = 86_400_000
const DAYS_AHEAD = 2
/** Minutes are kept whole for so many days, hours for so many. */
const MINUTE_DAYS = 3
const HOUR_DAYS = 90
/** Scans of an hour may still be on their way to the database when it ends. */
const PACK_AFTER_MS = 300_000

/** Partitions ahead, whole hours packed, old partitions dropped, and no active target without a turn. */
export const keepScans =
  ({ pool, clock }: Context): Job =>
  async (signal) => {
    const now = clock.now()
    const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS)
    for (let ahead = 0; ahead <= DAYS_AHEAD; ahead += 1) await makePartitions(pool, inDays(ahead))
    let done = await openMissingTurns(pool, now)
    for (let hours = 0; hours < marketData.jobs.keepScans.max && !signal.aborted; hours += 1) {
      const until = new Date(now.getTime() - PACK_AFTER_MS)
      if ((await pool.transaction((tx) => packHour(tx, until))) === null) break
      done += 1
    }
    return { done: done + (await dropPartitions(pool, inDays(-MINUTE_DAYS), inDays(-HOUR_DAYS))) }
  }
