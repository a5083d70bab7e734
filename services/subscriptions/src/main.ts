import { identity } from '@svc/contracts/identity'
import { marketData } from '@svc/contracts/market-data'
import { mining } from '@svc/contracts/mining'
import { subscriptions } from '@svc/contracts/subscriptions'
import {
  bind,
  bindReactions,
  defineService,
  runAsProcess,
  type AnyHandler,
  type Job,
  type Overrides,
} from '@svc/service'
import type { PublicPolicy } from '@svc/service/public-web'
import { createContext, type Context } from './context.ts'
import { handlers } from './handlers.ts'
import { jobs } from './jobs.ts'
import { proveLedger } from './ledger/ledger-proof.ts'
import { reactions } from './reactions.ts'
import { webhookGauges } from './webhooks/telemetry.ts'

/** A test may replace the rules by which webhooks are sent, to reach a server of its own. */
interface SubscriptionsOverrides extends Overrides {
  readonly webhookPolicy?: PublicPolicy
}

const service = defineService({
  contract: subscriptions,
  publishers: [identity, mining, marketData],
  compose: async (kit, { overrides }: { readonly overrides: SubscriptionsOverrides }) => {
    await proveLedger(kit.pool)
    const made = createContext(kit)
    const policy = overrides.webhookPolicy ?? made.webhooks.policy
    const context = { ...made, webhooks: { ...made.webhooks, policy } }
    return {
      handlers: bind<Context, AnyHandler>(handlers, context),
      reactions: bindReactions(reactions, context),
      jobs: bind<Context, Job>(jobs, context),
      gauges: webhookGauges(kit.pool),
    }
  },
})
/** Starts the service from its settings. Refuses to start while the ledger contradicts itself. */
export const { start, runJob } = service

if (import.meta.main) await runAsProcess(service)
