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
import { createContext, type Context } from './context.ts'
import type { PublicPolicy } from '@svc/service/public-web'
import { handlers } from './handlers.ts'
import { jobs } from './jobs.ts'
import { miningGauges } from '#payouts/store/figures.ts'
import { reactions } from './reactions.ts'

/** A test may replace the rules by which evidence is fetched, to reach a server of its own. */
interface MiningOverrides extends Overrides {
  readonly fetchPolicy?: PublicPolicy
}

const service = defineService({
  contract: mining,
  publishers: [subscriptions],
  compose: (kit, { overrides }: { readonly overrides: MiningOverrides }) => {
    const made = createContext(kit)
    const context = { ...made, fetchPolicy: overrides.fetchPolicy ?? made.fetchPolicy }
    return {
      handlers: bind<Context, AnyHandler>(handlers, context),
      reactions: bindReactions(reactions, context),
      jobs: bind<Context, Job>(jobs, context),
      gauges: miningGauges(kit.pool),
    }
  },
})
export const { start, runJob } = service

if (import.meta.main) await runAsProcess(service)
