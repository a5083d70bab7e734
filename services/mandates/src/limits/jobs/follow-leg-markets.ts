import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { storeLegMarkets } from '../store/leg-markets.ts'

/** Stores the markets of the leg as hl-leg lists them. While hl-leg does not answer, the last list stays. */
export const followLegMarkets =
  ({ pool, clock, legClient }: Context): Job =>
  async () => {
    const list = await legClient.listMarkets()
    // Before its first reading hl-leg lists nothing.
    if (list !== null && list.items.length > 0) await storeLegMarkets(pool, list, clock.now())
    return { done: 0 }
  }
