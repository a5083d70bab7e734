import { hlLeg } from '@svc/contracts/hl-leg'
import { outboundCommand, outboundGauges } from '@svc/outbound'
import { bind, defineService, runAsProcess, type AnyHandler, type Job } from '@svc/service'
import { createContext, type Context } from './context.ts'
import { handlers } from './handlers.ts'
import { jobPace, jobs } from './jobs.ts'
import { legGauges } from '#money/store/figures.ts'
import { venueTransferKind } from '#money/store/transfers.ts'
import { transferByHand } from '#money/transfer-adapter.ts'
import { collateralMoveKind } from '#orders/store/collateral-moves.ts'
import { legOrderKind } from '#orders/store/orders.ts'

/** Kinds of effects outside that this service drives. */
const KINDS = [legOrderKind, collateralMoveKind, { ...venueTransferKind, byHand: transferByHand }]

const service = defineService({
  contract: hlLeg,
  compose: (kit) => {
    const context = createContext(kit)
    return {
      handlers: bind<Context, AnyHandler>(handlers, context),
      jobs: bind<Context, Job>(jobs, context),
      jobPace: jobPace(context.settings),
      gauges: { ...legGauges(context), ...outboundGauges(kit.pool, KINDS) },
      release: () => context.venue.close(),
    }
  },
})
export const { start, runJob, runTask } = service

if (import.meta.main) await runAsProcess(service, outboundCommand(service, KINDS))
