import type { Pair } from '@svc/contracts/market-data/board'
import { Outage } from '@svc/service'
import type { Context } from '#context.ts'
import { findPairs, listedExchanges } from './store/tokens.ts'

interface Asked {
  readonly exchange: string
  readonly symbol: string
}

/**
 * The pairs asked for that stand on the board, in order; null for those that do not. `Outage` while the list of a
 * configured exchange was never read: nobody knows yet which pairs it has, and that is not the same as none.
 */
export async function lookUpPairs(
  { pool, venues }: Pick<Context, 'pool' | 'venues'>,
  pairs: readonly Asked[],
): Promise<readonly (Pair | null)[]> {
  const found = await findPairs(pool, pairs)
  const answer = pairs.map(({ exchange, symbol }) => found.get(`${exchange} ${symbol}`) ?? null)
  const absent = pairs.filter(({ exchange }, place) => answer[place] === null && venues.has(exchange))
  if (absent.length > 0) {
    const listed = await listedExchanges(pool)
    const unread = absent.find(({ exchange }) => !listed.has(exchange))
    if (unread !== undefined) throw new Outage('venue', `the market list of ${unread.exchange} was not read yet`)
  }
  return answer
}
