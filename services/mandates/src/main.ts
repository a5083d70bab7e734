import { chainIndexer } from '@svc/contracts/chain-indexer'
import { gallery } from '@svc/contracts/gallery'
import { hlLeg } from '@svc/contracts/hl-leg'
import { mandates } from '@svc/contracts/mandates'
import { subscriptions } from '@svc/contracts/subscriptions'
import { bind, bindReactions, defineService, runAsProcess, type AnyHandler, type Job } from '@svc/service'
import { createContext, type Context } from './context.ts'
import { handlers } from './handlers.ts'
import { jobs } from './jobs.ts'
import { notingAgentActs } from './leg/note-agent-acts.ts'
import { mandateGauges } from '#overview/store/figures.ts'
import { reactions } from './reactions.ts'

const service = defineService({
  contract: mandates,
  publishers: [chainIndexer, subscriptions, hlLeg, gallery],
  compose: (kit) => {
    const context = createContext(kit)
    return {
      handlers: notingAgentActs(bind<Context, AnyHandler>(handlers, context), context),
      reactions: bindReactions(reactions, context),
      jobs: bind<Context, Job>(jobs, context),
      gauges: mandateGauges(kit.pool),
      close: () => context.documents.close(),
    }
  },
})
export const { start, runJob } = service

if (import.meta.main) await runAsProcess(service)
