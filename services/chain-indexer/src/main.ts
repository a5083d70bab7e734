import { loadSettings, type Environment } from '@svc/contract'
import { postgresSettings } from '@svc/contracts'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import { chainIndexerSettings } from '@svc/contracts/chain-indexer/settings'
import { migrate } from '@svc/postgres'
import {
  bind,
  orExit,
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
import { errandOf, runErrand, usage } from './rewind/run-errand.ts'
import { limitedUrl } from './streams/store/schema.ts'
import { tellWrongContracts } from './chain/warn-wrong-contracts.ts'

const migrations = new URL('../migrations', import.meta.url).pathname

/** Starts the service from its settings. Rejects with `SchemaMissing` when its tables are not there. */
export async function start(environment: Environment, overrides: Overrides = {}): Promise<RunningService> {
  const settings = loadSettings(chainIndexerSettings, environment)
  const { postgresUrl } = loadSettings(postgresSettings, environment)
  if (settings.schemaEnsure) await migrate({ url: postgresUrl, schema: 'chain_indexer', directory: migrations })
  return startService(
    chainIndexer,
    [],
    { ...environment, SVC_POSTGRES_URL: limitedUrl(postgresUrl, settings) },
    async (kit) => {
      const context = await createContext(kit)
      // Not waited for: a service starts while its RPC is away.
      void tellWrongContracts(context)
      return {
        handlers: bind<Context, AnyHandler>(handlers, context),
        jobs: bind<Context, Job>(jobs, context),
        jobPace: jobPace(kit.settings),
      }
    },
    overrides,
  )
}

if (import.meta.main)
  await orExit(async () => {
    const words = process.argv.slice(2)
    if (words.includes('--help')) return void process.stdout.write(usage)
    const errand = errandOf(words)
    if (errand === null) await runAsProcess(start)
    else process.exitCode = await runErrand(errand, process.env)
  })
