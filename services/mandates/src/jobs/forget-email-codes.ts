import { mandates } from '@svc/contracts/mandates'
import type { Job } from '@svc/service'
import type { Context } from '../context.ts'
import { CODES_COUNTED_MS } from '../domain/email-code.ts'
import { deleteCodes } from '../store/email-codes.ts'

export const forgetEmailCodes =
  ({ pool, clock }: Context): Job =>
  async () => {
    const before = new Date(clock.now().getTime() - CODES_COUNTED_MS)
    return { done: await pool.transaction((tx) => deleteCodes(tx, before, mandates.jobs.forgetEmailCodes.max)) }
  }
