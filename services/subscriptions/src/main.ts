import { identity } from '@svc/contracts/identity'
import { marketData } from '@svc/contracts/market-data'
import { mining } from '@svc/contracts/mining'
import { subscriptions } from '@svc/contracts/subscriptions'
import { bind, bindReactions, defineService, runAsProcess, type AnyHandler, type Job } from '@svc/service'
import { createContext, type Context } from './context.ts'
import { handlers } from './handlers.ts'
import { jobs } from './jobs.ts'
import { proveLedger } from './ledger/ledger-proof.ts'
import { reactions } from './reactions.ts'

const service = defineService({
  contract: subscriptions,
  publishers: [identity, mining, marketData],
  compose: async (kit) => {
    await proveLedger(kit.pool)
    const context = createContext(kit)
    return {
      handlers: bind<Context, AnyHandler>(handlers, context),
      reactions: bindReactions(reactions, context),
      jobs: bind<Context, Job>(jobs, context),
    }
  },
})
/** Starts the service from its settings. Refuses to start while the ledger contradicts itself. */
export const { start, runJob } = service

if (import.meta.main) await runAsProcess(service)
