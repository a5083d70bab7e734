import { RemoteRefusal, type Job } from '@svc/service'
import type { Context } from '#context.ts'
import { noteBeat } from '../store/readable.ts'

/** Accounts of a read that only looks whether reads can be served; a dry run writes nothing. */
const NOBODY = { account_id: Number.MAX_SAFE_INTEGER, seller_id: Number.MAX_SAFE_INTEGER - 1 }

/** Notes that paid reads can be served, by asking what they ask. Rejects with an outage while they cannot. */
export const noteReadable =
  ({ pool, ask, clock, log }: Context): Job =>
  async () => {
    try {
      const items = [{ resource: 'beat', price: 1 }]
      await ask.subscriptions.placeHold({ key: 'beat', ...NOBODY, reference: 'beat', items, dry_run: true })
    } catch (error) {
      // Nobody has no Cherry: a refusal is an answer too.
      if (!(error instanceof RemoteRefusal)) throw error
    }
    const isGap = await pool.transaction((tx) => noteBeat(tx, clock.now()))
    if (isGap) log.warn('paid reads could not be served for a while; signals of that time are free')
    return { done: 0 }
  }
