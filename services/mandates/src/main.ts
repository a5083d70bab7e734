import type { Environment } from '@svc/contract'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import { mandates } from '@svc/contracts/mandates'
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
import { handlers } from './handlers.ts'
import { jobs } from './jobs.ts'
import { reactions } from './reactions.ts'

/** Starts the service from its settings. */
export function start(environment: Environment, overrides: Overrides = {}): Promise<RunningService> {
  return startService(
    mandates,
    [chainIndexer, subscriptions],
    environment,
    (kit) => {
      const context = createContext(kit)
      return {
        handlers: bind<Context, AnyHandler>(handlers, context),
        reactions: bindReactions(reactions, context),
        jobs: bind<Context, Job>(jobs, context),
        close: () => context.documents.close(),
      }
    },
    overrides,
  )
}

if (import.meta.main) await runAsProcess(start)
