import type { Pair } from '@svc/contracts/market-data/board'
import { Outage } from '@svc/service'
import type { Context } from '#context.ts'
import { findPairs, listedExchanges } from './store/tokens.ts'

interface Asked {
  readonly exchange: string
  readonly symbol: string
}

/**
 * Returns the requested pairs in order; null for pairs that are not on the board. Throws `Outage` until the first list of
 * the exchange has been read, because its pairs are then unknown.
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
    if (unread !== undefined) throw new Outage('venue', `the market list of ${unread.exchange} has not been read yet`)
  }
  return answer
}
