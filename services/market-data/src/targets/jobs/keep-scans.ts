import type { Job } from '@svc/service'
import { tiers } from '@svc/contracts/subscriptions/tiers'
import type { Context } from '#context.ts'
import { resumeTargets } from '../places.ts'
import { openMissingTurns } from '../store/scan-turns.ts'
import { dropPartitions, makePartitions } from '../store/scans.ts'
import { waitingTargets } from '../store/targets.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'pool' | 'clock' | 'venues'>

const DAY_MS = 86_400_000
/** Targets by tier. */
const LIMITS = [tiers[0].targets, tiers[1].targets, tiers[2].targets]
const WAITING_MAX = 1_000
const DAYS_AHEAD = 2
/** Retention of single scans and of packed scans, in days. */
const MINUTE_DAYS = 3
const PACKED_DAYS = 90

/**
 * Creates partitions ahead, drops old partitions, adds missing turns of active targets, and resumes targets that waited for
 * a place at their venue.
 */
export const keepScans =
  (context: Parts): Job =>
  async () => {
    const { pool, clock } = context
    const now = clock.now()
    const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS)
    for (let ahead = 0; ahead <= DAYS_AHEAD; ahead += 1) await makePartitions(pool, inDays(ahead))
    const opened = await openMissingTurns(pool, now)
    const resumed = await pool.transaction(async (tx) =>
      resumeTargets(context, tx, await waitingTargets(tx, LIMITS, WAITING_MAX)),
    )
    return { done: opened + resumed + (await dropPartitions(pool, inDays(-MINUTE_DAYS), inDays(-PACKED_DAYS))) }
  }
