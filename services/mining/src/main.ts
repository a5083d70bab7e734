import type { Environment } from '@svc/contract'
import { mining } from '@svc/contracts/mining'
import { subscriptions } from '@svc/contracts/subscriptions'
import {
  bind,
  bindReactions,
  runAsProcess,
  startService,
  type AnyHandler,
  type Job,
  type Overrides,
  type RunningService,
} from '@svc/service'
import { createContext, type Context } from './context.ts'
import type { FetchPolicy } from './evidence/fetch-policy.ts'
import { handlers } from './handlers.ts'
import { jobs } from './jobs.ts'
import { reactions } from './reactions.ts'

/** What a test may replace: the rules by which evidence is fetched, to reach a server of its own. */
interface MiningOverrides extends Overrides {
  readonly fetchPolicy?: FetchPolicy
}

/** Starts the service from its settings. */
export function start(environment: Environment, overrides: MiningOverrides = {}): Promise<RunningService> {
  return startService(
    mining,
    [subscriptions],
    environment,
    (kit) => {
      const made = createContext(kit)
      const context = { ...made, fetchPolicy: overrides.fetchPolicy ?? made.fetchPolicy }
      return {
        handlers: bind<Context, AnyHandler>(handlers, context),
        reactions: bindReactions(reactions, context),
        jobs: bind<Context, Job>(jobs, context),
      }
    },
    overrides,
  )
}

if (import.meta.main) await runAsProcess(start)
