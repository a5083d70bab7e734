import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { openMissingTurns } from '../store/scan-turns.ts'
import { dropPartitions, makePartitions } from '../store/scans.ts'

const DAY_MS = 86_400_000
const DAYS_AHEAD = 2
/** Retention of single scans and of packed scans, in days. */
const MINUTE_DAYS = 3
const PACKED_DAYS = 90

/** Creates partitions ahead, drops old partitions, and adds missing turns of active targets. */
export const keepScans =
  ({ pool, clock }: Context): Job =>
  async () => {
    const now = clock.now()
    const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS)
    for (let ahead = 0; ahead <= DAYS_AHEAD; ahead += 1) await makePartitions(pool, inDays(ahead))
    const opened = await openMissingTurns(pool, now)
    return { done: opened + (await dropPartitions(pool, inDays(-MINUTE_DAYS), inDays(-PACKED_DAYS))) }
  }
