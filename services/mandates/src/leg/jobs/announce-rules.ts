import { mandates } from '@svc/contracts/mandates'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { lockMandateById } from '#mandate/store/mandates.ts'
import { appendEntry } from '#record/append-entry.ts'
import { hasEntryOf } from '#record/store/record.ts'
import { RULE_ANNOUNCED, unannounced } from '../store/announcements.ts'

/** What the record says. The signed texts stay as they are. */
const BODY = {
  rule: 'reference_price',
  clauses: [2, 3, 6],
  note: 'From now on opening orders at the leg count at their reference price: the highest of the worst price that the order accepts, the mark, the middle of the book and, for a sale, the best bid. It is never below the worst price that clauses 2, 3 and 6 name, so that an order may be smaller and none is larger.',
}

/** Announces in the record of each mandate that was signed before it at which price orders at the leg count, once. */
export const announceRules =
  ({ pool, clock }: Pick<Context, 'pool' | 'clock'>): Job =>
  async (signal) => {
    const now = clock.now()
    const { max } = mandates.jobs.announceRules
    const ids = await unannounced(pool, max)
    let done = 0
    for (const id of ids) {
      if (signal.aborted) return { done, nextAt: now }
      done += await pool.transaction(async (tx) => {
        const mandate = await lockMandateById(tx, id)
        if (await hasEntryOf(tx, id, RULE_ANNOUNCED)) return 0
        await appendEntry(tx, mandate, { at: now, kind: RULE_ANNOUNCED, source: 'server', body: BODY })
        return 1
      })
    }
    return ids.length === max ? { done, nextAt: now } : { done }
  }
