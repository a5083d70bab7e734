import { mandates } from '@svc/contracts/mandates'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { CODES_COUNTED_MS } from '../rules/channel-code.ts'
import { deleteCodes } from '../store/channel-codes.ts'

/** Deletes codes that no longer count against a limit. */
export const forgetCodes =
  ({ pool, clock }: Context): Job =>
  async () => {
    const before = new Date(clock.now().getTime() - CODES_COUNTED_MS)
    return { done: await pool.transaction((tx) => deleteCodes(tx, before, mandates.jobs.forgetCodes.max)) }
  }
