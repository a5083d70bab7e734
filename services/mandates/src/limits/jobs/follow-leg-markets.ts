import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { newestLegMarkets, storeLegMarkets } from '../store/leg-markets.ts'

/** Pause before the next question while no list is stored, as after a first start. */
const FIRST_MS = 2_000

/** Stores the markets of the leg as hl-leg lists them. While hl-leg does not answer, the last list stays. */
export const followLegMarkets =
  ({ pool, clock, legClient }: Context): Job =>
  async () => {
    const list = await legClient.listMarkets()
    // Before its first reading hl-leg lists nothing.
    if (list !== null && list.items.length > 0) await storeLegMarkets(pool, list, clock.now())
    else if ((await newestLegMarkets(pool, null)) === null)
      return { done: 0, nextAt: new Date(clock.now().getTime() + FIRST_MS) }
    return { done: 0 }
  }
