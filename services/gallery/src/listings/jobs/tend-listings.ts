import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { hallTime } from '#hall/store/hall-time.ts'
import { standingOf } from '#hall/store/standing.ts'
import { operatorsOf } from '#operators/store/operators.ts'
import { nextStatus } from '../rules/next-status.ts'
import { sellerStanding } from '../standing-of-seller.ts'
import { appendStatus, openListings, withdraw, type Listing } from '../store/listings.ts'

const PAGE = 500

/**
 * Withdraws listings of operators that have ended, and suspends or restores the others by the record of their sellers.
 * A stale Hall suspends and restores nothing.
 */
export const tendListings =
  (context: Context): Job =>
  async (signal) => {
    const { pool, clock } = context
    const { stale } = await hallTime(pool, clock.now())
    let done = 0
    let after = 0
    while (!signal.aborted) {
      const page = await openListings(pool, after, PAGE)
      done += await tendPage(context, page, stale)
      if (page.length < PAGE) break
      after = page.at(-1)?.seq ?? after
    }
    return { done }
  }

async function tendPage({ pool, clock }: Context, page: readonly Listing[], stale: boolean): Promise<number> {
  const sellers = [...new Set(page.map(({ seller_agent_id }) => seller_agent_id))]
  const [standings, operators] = await Promise.all([standingOf(pool, sellers), operatorsOf(pool, sellers)])
  let done = 0
  for (const { id, status, seller_agent_id: sellerId } of page) {
    const standing = stale ? undefined : standings.get(sellerId)
    const next = nextStatus({
      status,
      operators: operators.filter(({ agent_id }) => agent_id === sellerId),
      standing: standing === undefined ? null : sellerStanding(standing),
    })
    if (next === null) continue
    const change = { ...next, at: clock.now() }
    const changed = await pool.transaction((tx) =>
      next.status === 'withdrawn' ? withdraw(tx, id, next.reason, change.at) : appendStatus(tx, id, change),
    )
    if (changed) done += 1
  }
  return done
}
