import { chainIndexer } from '@svc/contracts/chain-indexer'
import { gallery } from '@svc/contracts/gallery'
import { hlLeg } from '@svc/contracts/hl-leg'
import { identity } from '@svc/contracts/identity'
import { keeper } from '@svc/contracts/keeper'
import { mandates } from '@svc/contracts/mandates'
import { outboundCommand, outboundGauges } from '@svc/outbound'
import { bind, bindReactions, defineService, runAsProcess, type AnyHandler, type Job } from '@svc/service'
import { createContext, type Context } from './context.ts'
import { rebuildCommand } from './facts/rebuild-command.ts'
import { handlers } from './handlers.ts'
import { jobs } from './jobs.ts'
import { hallGauges } from '#hall/store/figures.ts'
import { reactions } from './reactions.ts'
import { followOrderKind } from '#runner/store/follow-orders.ts'

const service = defineService({
  contract: gallery,
  publishers: [identity, mandates, keeper, hlLeg, chainIndexer, gallery],
  compose: (kit) => {
    const context = createContext(kit)
    return {
      handlers: bind<Context, AnyHandler>(handlers, context),
      reactions: bindReactions(reactions, context),
      jobs: bind<Context, Job>(jobs, context),
      gauges: { ...hallGauges(kit.pool), ...outboundGauges(kit.pool, [followOrderKind]) },
    }
  },
})
export const { start, runJob } = service

if (import.meta.main) await runAsProcess(service, rebuildCommand(service), outboundCommand(service, [followOrderKind]))
