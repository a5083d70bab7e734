import type { Environment } from '@svc/contract'
import { identity } from '@svc/contracts/identity'
import { marketData } from '@svc/contracts/market-data'
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
import { handlers } from './handlers.ts'
import { jobs } from './jobs.ts'
import { proveLedger } from './ledger/ledger-proof.ts'
import { reactions } from './reactions.ts'

/** Starts the service from its settings. A ledger that does not add up keeps it from starting. */
export function start(environment: Environment, overrides: Overrides = {}): Promise<RunningService> {
  return startService(
    subscriptions,
    [identity, mining, marketData],
    environment,
    async (kit) => {
      await proveLedger(kit.pool)
      const context = createContext(kit)
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
