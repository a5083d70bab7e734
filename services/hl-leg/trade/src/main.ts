import { hlTrade } from '@svc/contracts/hl-trade'
import { outboundCommand, outboundGauges } from '@svc/outbound'
import { bind, defineService, runAsProcess, type AnyHandler, type Job } from '@svc/service'
import { createContext, type Context } from './context.ts'
import { handlers } from './handlers.ts'
import { jobs } from './jobs.ts'
import { ownOrderKind } from '#orders/store/trade-orders.ts'

const service = defineService({
  contract: hlTrade,
  compose: (kit) => {
    const context = createContext(kit)
    return {
      handlers: bind<Context, AnyHandler>(handlers, context),
      jobs: bind<Context, Job>(jobs, context),
      gauges: outboundGauges(kit.pool, [ownOrderKind]),
      release: () => context.venue.close(),
    }
  },
})
export const { start, runJob } = service

if (import.meta.main) await runAsProcess(service, outboundCommand(service, [ownOrderKind]))
