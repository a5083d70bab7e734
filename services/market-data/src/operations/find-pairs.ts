import { ok } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import { Outage, type BoundHandler } from '@svc/service'
import type { Context } from '../context.ts'
import { findPairs as find, listedExchanges } from '../store/tokens.ts'

export const findPairs: BoundHandler<Context, typeof marketData.operations.findPairs> =
  ({ pool, venues }) =>
  async ({ pairs }) => {
    const found = await find(pool, pairs)
    const answer = pairs.map(({ exchange, symbol }) => found.get(`${exchange} ${symbol}`) ?? null)
    const absent = pairs.filter(({ exchange }, place) => answer[place] === null && venues.has(exchange))
    if (absent.length > 0) {
      // Before its first market list nobody knows which pairs an exchange has: that is not the same as none.
      const listed = await listedExchanges(pool)
      const unread = absent.find(({ exchange }) => !listed.has(exchange))
      if (unread !== undefined) throw new Outage('venue', `the market list of ${unread.exchange} was not read yet`)
    }
    return ok(200, { pairs: answer })
  }
