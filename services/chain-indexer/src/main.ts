import { loadSettings, type Environment } from '@svc/contract'
import { postgresSettings } from '@svc/contracts'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import { chainIndexerSettings } from '@svc/contracts/chain-indexer-settings'
import { migrate } from '@svc/postgres'
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
import { jobPace, jobs } from './jobs.ts'
import { errandOf, runErrand } from './run-errand.ts'

const migrations = new URL('../migrations', import.meta.url).pathname

/** Starts the service from its settings. Rejects with `SchemaMissing` when its tables are not there. */
export async function start(environment: Environment, overrides: Overrides = {}): Promise<RunningService> {
  if (loadSettings(chainIndexerSettings, environment).schemaEnsure)
    await migrate({
      url: loadSettings(postgresSettings, environment).postgresUrl,
      schema: 'chain_indexer',
      directory: migrations,
    })
  return startService(
    chainIndexer,
    [],
    environment,
    async (kit) => {
      const context = await createContext(kit)
      return {
        handlers: bind<Context, AnyHandler>(handlers, context),
        jobs: bind<Context, Job>(jobs, context),
        jobPace: jobPace(kit.settings),
      }
    },
    overrides,
  )
}

if (import.meta.main) {
  const errand = errandOf(process.argv.slice(2))
  if (errand === null) await runAsProcess(start)
  else process.exitCode = await runErrand(errand, process.env)
}
