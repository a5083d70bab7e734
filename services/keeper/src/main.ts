import { loadSettings } from '@svc/contract'
import { postgresSettings } from '@svc/contracts'
import { keeper } from '@svc/contracts/keeper'
import { keeperSettings } from '@svc/contracts/keeper/settings'
import { migrate } from '@svc/postgres'
import { bind, defineService, orExit, runAsProcess, type Job } from '@svc/service'
import { createContext, type Context } from './context.ts'
import { jobPace, jobs } from './jobs.ts'
import { onceOf, runJob } from './run-job.ts'

const migrations = new URL('../migrations', import.meta.url).pathname

const service = defineService({
  contract: keeper,
  prepare: async (environment) => {
    const { postgresUrl: url } = loadSettings(postgresSettings, environment)
    if (loadSettings(keeperSettings, environment).schemaEnsure)
      await migrate({ url, schema: 'keeper', directory: migrations })
    return environment
  },
  compose: async (kit) => ({
    handlers: {},
    jobs: bind<Context, Job>(jobs, await createContext(kit)),
    jobPace: jobPace(kit.settings),
  }),
})
/** Starts the service from its settings. Rejects with `SettingError`, also when the signer must not be used here. */
export const { start } = service

if (import.meta.main)
  await orExit(async () => {
    const once = onceOf(process.argv.slice(2))
    if (once === null) await runAsProcess(service)
    else process.exitCode = await runJob(once, process.env)
  })
