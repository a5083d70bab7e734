import { loadSettings, type Environment } from '@svc/contract'
import { postgresSettings } from '@svc/contracts'
import { keeper } from '@svc/contracts/keeper'
import { keeperSettings } from '@svc/contracts/keeper/settings'
import { migrate } from '@svc/postgres'
import { bind, orExit, runAsProcess, startService, type Job, type Overrides, type RunningService } from '@svc/service'
import { createContext, type Context } from './context.ts'
import { jobPace, jobs } from './jobs.ts'
import { onceOf, runJob } from './run-job.ts'

const migrations = new URL('../migrations', import.meta.url).pathname

/** Starts the service from its settings. Rejects with `SettingError`, also when the signer must not be used here. */
export async function start(environment: Environment, overrides: Overrides = {}): Promise<RunningService> {
  if (loadSettings(keeperSettings, environment).schemaEnsure)
    await migrate({
      url: loadSettings(postgresSettings, environment).postgresUrl,
      schema: 'keeper',
      directory: migrations,
    })
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

if (import.meta.main)
  await orExit(async () => {
    const once = onceOf(process.argv.slice(2))
    if (once === null) await runAsProcess(start)
    else process.exitCode = await runJob(once, process.env)
  })
