import type { Environment } from '@svc/contract'
import { researchReports } from '@svc/contracts/research-reports'
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
    researchReports,
    [],
    environment,
    async (kit) => {
      const context = await createContext(kit)
      return {
        handlers: bind<Context, AnyHandler>(handlers, context),
        jobs: bind<Context, Job>(jobs, context),
        close: () => context.renderer.close(),
      }
    },
    overrides,
  )
}

if (import.meta.main) await runAsProcess(start)
