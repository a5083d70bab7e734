import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { checkVenueClock } from '../venue-clock.ts'
import { refreshDexes, refreshMarkets } from '../read-markets.ts'
import { forgetWeight } from '../store/weights.ts'

/** Reads the dexes and markets of the venue with their marks, and compares the venue's clock with ours. */
export const readMarkets =
  (context: Context): Job =>
  async (signal) => {
    const { settings, pool } = context
    await forgetWeight(pool)
    await checkVenueClock(context, 'worth')
    const dexes = await refreshDexes(context, 'worth')
    let done = 0
    for (const dex of dexes.filter(({ name }) => settings.dexes.includes(name))) {
      if (signal.aborted) break
      done += (await refreshMarkets(context, 'worth', dex)).length
    }
    return { done }
  }
