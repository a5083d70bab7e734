import { keeper } from '@svc/contracts/keeper'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { forgetSendings as forget } from '../store/transactions.ts'

const KEPT_MS = 90 * 86_400_000

/** Forgets transactions that ended more than 90 days ago; the chain keeps them. */
export const forgetSendings =
  ({ transaction, clock }: Context): Job =>
  async () => {
    const before = new Date(clock.now().getTime() - KEPT_MS)
    return { done: await transaction((tx) => forget(tx, before, keeper.jobs.forgetSendings.max)) }
  }
