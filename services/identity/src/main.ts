import type { Environment } from '@svc/contract'
import { identity } from '@svc/contracts/identity'
import { bind, runAsProcess, startService, type AnyHandler, type Overrides, type RunningService } from '@svc/service'
import { createContext, type Context } from './context.ts'
import { handlers } from './handlers.ts'
import { forgetEnded } from './credentials/jobs/forget-ended.ts'

/** Starts the service from its settings. */
export function start(environment: Environment, overrides: Overrides = {}): Promise<RunningService> {
  return startService(
    identity,
    [],
    environment,
    async (kit) => {
      const context = await createContext(kit, environment)
      return {
        handlers: bind<Context, AnyHandler>(handlers, context),
        jobs: { forgetEnded: forgetEnded(context, kit.clock) },
        close: async () => context.nonces.close(),
      }
    },
    overrides,
  )
}

if (import.meta.main) await runAsProcess(start)
