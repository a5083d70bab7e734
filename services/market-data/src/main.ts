import { marketData } from '@svc/contracts/market-data'
import { mining } from '@svc/contracts/mining'
import { subscriptions } from '@svc/contracts/subscriptions'
import { bind, bindReactions, defineService, runAsProcess, type AnyHandler, type Job } from '@svc/service'
import { createContext, type Context } from './context.ts'
import { handlers } from './handlers.ts'
import { jobs } from './jobs.ts'
import { boardGauges } from '#board/store/figures.ts'
import { holdVenues } from './markets/venue-states.ts'
import { reactions } from './reactions.ts'
import { listedExchanges } from './listings/store/tokens.ts'

/** A venue that stays silent must not keep the service from being ready for ever. */
const UNIVERSE_WAIT_MS = 30_000

/** Whether the pairs of every configured venue are known, or were waited for long enough. */
async function universeRead({ pool, venues, clock, startedAt }: Context): Promise<boolean> {
  if (clock.now().getTime() - startedAt > UNIVERSE_WAIT_MS) return true
  const listed = await listedExchanges(pool)
  return [...venues.keys()].every((exchange) => listed.has(exchange))
}

const service = defineService({
  contract: marketData,
  publishers: [subscriptions, mining],
  compose: (kit) => {
    const context = createContext(kit)
    context.led.clear()
    return {
      handlers: bind<Context, AnyHandler>(handlers, context),
      reactions: bindReactions(reactions, context),
      jobs: bind<Context, Job>(jobs, context),
      gauges: boardGauges(kit.pool),
      shares: { names: [...context.venues.keys()], hold: (exchanges) => holdVenues(context, exchanges) },
      checks: { universe: () => universeRead(context) },
      close: context.close,
    }
  },
})
export const { start, runJob } = service

if (import.meta.main) await runAsProcess(service)
