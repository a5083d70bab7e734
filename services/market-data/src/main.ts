import type { Environment } from '@svc/contract'
import { marketData } from '@svc/contracts/market-data'
import { bind, runAsProcess, startService, type AnyHandler, type Overrides, type RunningService } from '@svc/service'
import { createContext, type Context } from './context.ts'
import { handlers } from './handlers.ts'

/** Starts the service from its settings. */
export function start(environment: Environment, overrides: Overrides = {}): Promise<RunningService> {
  return startService(
    marketData,
    [],
    environment,
    async (kit) => ({ handlers: bind<Context, AnyHandler>(handlers, await createContext(kit)) }),
    overrides,
  )
}

if (import.meta.main) await runAsProcess(start)
