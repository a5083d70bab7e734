import { hlTrade } from '@svc/contracts/hl-trade'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { liquidateBook } from '../liquidate-book.ts'
import { heldCoins, lockOpenBooks, markLocked, type Mark } from '../store/marks.ts'
import { readVenueMarks } from '../venue-scene.ts'

/** Books that are valued in one transaction: their fills wait for it. */
const BATCH = 500
/** Markets in which books have positions. */
const COINS_MAX = 2_000
/** Greatest age of a mark price that a book is valued and liquidated at. */
const MARK_MAX_AGE_MS = 120_000
/** Books that one run liquidates; the next run begins at once. */
const LIQUIDATED_MAX = 200

/**
 * Values each book with positions at the venue's marks and liquidates those below their maintenance margin. A position in a
 * market without a fresh mark keeps its last one, and its book is not liquidated.
 */
export const markBooks =
  (context: Context): Job =>
  async (signal) => {
    const { pool, clock } = context
    const coins = await heldCoins(pool, COINS_MAX)
    if (coins.length === 0) return { done: 0 }
    const marks = await freshMarks(context, coins)
    const now = clock.now()
    const { max } = hlTrade.jobs.markBooks
    let done = 0
    const below: number[] = []
    for (let after = 0; done < max && !signal.aborted;) {
      const batch = await pool.transaction(async (tx) => {
        const ids = await lockOpenBooks(tx, after, Math.min(BATCH, max - done))
        return { ids, below: ids.length === 0 ? [] : await markLocked(tx, ids, marks, now) }
      })
      done += batch.ids.length
      below.push(...batch.below)
      const last = batch.ids.at(-1)
      if (last === undefined || batch.ids.length < BATCH) break
      after = last
    }
    const liquidated = await liquidateAll(context, below.slice(0, LIQUIDATED_MAX), signal)
    return { done, liquidated, ...(below.length > LIQUIDATED_MAX ? { nextAt: now } : {}) }
  }

async function freshMarks(context: Context, coins: readonly string[]): Promise<readonly Mark[]> {
  const since = context.clock.now().getTime() - MARK_MAX_AGE_MS
  return (await readVenueMarks(context, coins))
    .filter(({ read_at, mark_price }) => Date.parse(read_at) >= since && /[1-9]/.test(mark_price))
    .map(({ coin, mark_price, max_leverage }) => ({ coin, price: mark_price, maxLeverage: max_leverage }))
}

async function liquidateAll(context: Context, ids: readonly number[], signal: AbortSignal): Promise<number> {
  let liquidated = 0
  for (const id of ids) {
    if (signal.aborted) break
    if (await liquidateBook(context, id)) liquidated += 1
  }
  return liquidated
}
