import { marketData } from '@svc/contracts/market-data'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { forgetCloses } from '#markets/store/candle-closes.ts'
import { forgetObservations as forget } from '#markets/store/observations.ts'
import { HISTORY_DAYS } from '@svc/contracts/market-data/history'
import { dropPointPartitions } from '../store/board-points.ts'
import { forgetRanks } from '../store/rank-days.ts'
import { forgetSnapshots } from '../store/snapshots.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'pool' | 'clock'>

const DAY_MS = 86_400_000

export const forgetObservations =
  ({ pool, clock }: Parts): Job =>
  async () => {
    const now = clock.now()
    const { max } = marketData.jobs.forgetObservations
    const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
    const dropped = await dropPointPartitions(pool, {
      five: before(HISTORY_DAYS['5m']),
      hours: before(HISTORY_DAYS['1h']),
      days: before(HISTORY_DAYS['1d']),
    })
    const closes = await forgetCloses(pool, now, max)
    const ranks = await forgetRanks(pool, now, max)
    return { done: dropped + closes + ranks + (await forget(pool, now, max)) + (await forgetSnapshots(pool, now, max)) }
  }
