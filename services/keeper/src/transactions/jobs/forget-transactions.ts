import { keeper } from '@svc/contracts/keeper'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { deleteEnded } from '../store/transactions.ts'

const KEPT_MS = 90 * 86_400_000

/** Deletes transactions that ended more than 90 days ago; the chain keeps them. Gas drips stay: a wallet never gets a third. */
export const forgetTransactions =
  ({ transaction, clock }: Context): Job =>
  async () => {
    const before = new Date(clock.now().getTime() - KEPT_MS)
    return { done: await transaction((tx) => deleteEnded(tx, before, keeper.jobs.forgetTransactions.max)) }
  }
