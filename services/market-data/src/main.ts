import type { Environment } from '@svc/contract'
import { marketData } from '@svc/contracts/market-data'
import {
  bind,
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

/** Starts the service from its settings. */
export function start(environment: Environment, overrides: Overrides = {}): Promise<RunningService> {
  return startService(
    marketData,
    [],
    environment,
    (kit) => {
      const context = createContext(kit)
      return {
        handlers: bind<Context, AnyHandler>(handlers, context),
        jobs: bind<Context, Job>(jobs, context),
        close: context.close,
      }
    },
    overrides,
  )
}

if (import.meta.main) await runAsProcess(start)
