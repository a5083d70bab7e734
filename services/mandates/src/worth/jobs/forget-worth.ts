import { mandates } from '@svc/contracts/mandates'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { forgetWorth as forget } from '../store/worth.ts'

const KEPT_MS = 45 * 86_400_000

/** Deletes marks older than 45 days, except those from which the Hall is computed. */
export const forgetWorth =
  ({ pool, clock }: Context): Job =>
  async () => {
    const before = new Date(clock.now().getTime() - KEPT_MS)
    return { done: await pool.transaction((tx) => forget(tx, before, mandates.jobs.forgetWorth.max)) }
  }
