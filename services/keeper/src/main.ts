import type { Environment } from '@svc/contract'
import { keeper } from '@svc/contracts/keeper'
import { bind, runAsProcess, startService, type Job, type Overrides, type RunningService } from '@svc/service'
import { createContext, type Context } from './context.ts'
import { jobPace, jobs } from './jobs.ts'
import { onceOf, runOnce } from './run-once.ts'

/** Starts the service from its settings. Rejects with `SettingError`, also when the signer must not be used here. */
export function start(environment: Environment, overrides: Overrides = {}): Promise<RunningService> {
  return startService(
    keeper,
    [],
    environment,
    async (kit) => ({
      handlers: {},
      jobs: bind<Context, Job>(jobs, await createContext(kit)),
      jobPace: jobPace(kit.settings),
    }),
    overrides,
  )
}

if (import.meta.main) {
  const once = onceOf(process.argv.slice(2))
  if (once === null) await runAsProcess(start)
  else process.exitCode = await runOnce(once, process.env)
}
