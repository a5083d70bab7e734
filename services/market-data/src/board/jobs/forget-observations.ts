import { marketData } from '@svc/contracts/market-data'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { forgetObservations as forget } from '#markets/store/observations.ts'
import { forgetSnapshots } from '../store/snapshots.ts'

export const forgetObservations =
  ({ pool, clock }: Context): Job =>
  async () => {
    const now = clock.now()
    const { max } = marketData.jobs.forgetObservations
    return { done: (await forget(pool, now, max)) + (await forgetSnapshots(pool, now, max)) }
  }
