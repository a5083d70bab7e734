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
  const isAbsent = ({ exchange, symbol }: Asked): boolean => !found.has(`${exchange} ${symbol}`) && venues.has(exchange)
  const absent = pairs.filter(isAbsent)
  if (absent.length > 0) {
    const listed = await listedExchanges(pool)
    const unread = absent.find(({ exchange }) => !listed.has(exchange))
    if (unread !== undefined) throw new Outage('venue', `the market list of ${unread.exchange} has not been read yet`)
    // The first list may have been stored between the two reads, so absent pairs are looked up once more.
    for (const [key, pair] of await findPairs(pool, absent)) found.set(key, pair)
  }
  return pairs.map(({ exchange, symbol }) => found.get(`${exchange} ${symbol}`) ?? null)
}
