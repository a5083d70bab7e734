import { loadSettings } from '@svc/contract'
import { postgresSettings } from '@svc/contracts'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import { chainIndexerSettings } from '@svc/contracts/chain-indexer/settings'
import { migrate } from '@svc/postgres'
import { bind, defineService, runAsProcess, type AnyHandler, type Job } from '@svc/service'
import { warnOfWrongContracts } from './chain/warn-wrong-contracts.ts'
import { createContext, type Context } from './context.ts'
import { handlers } from './handlers.ts'
import { jobPace, jobs } from './jobs.ts'
import { rewindCommand } from './rewind/rewind-command.ts'
import { limitedUrl } from './streams/store/schema.ts'

const migrations = new URL('../migrations', import.meta.url).pathname

const service = defineService({
  contract: chainIndexer,
  prepare: async (environment) => {
    const settings = loadSettings(chainIndexerSettings, environment)
    const { postgresUrl: url } = loadSettings(postgresSettings, environment)
    if (settings.schemaEnsure) await migrate({ url, schema: 'chain_indexer', directory: migrations })
    return { ...environment, SVC_POSTGRES_URL: limitedUrl(url, settings) }
  },
  compose: async (kit) => {
    const context = await createContext(kit)
    // Not awaited: the service also starts while its RPC is unavailable.
    void warnOfWrongContracts(context)
    return {
      handlers: bind<Context, AnyHandler>(handlers, context),
      jobs: bind<Context, Job>(jobs, context),
      jobPace: jobPace(kit.settings),
    }
  },
})
/** The service, to start or to run a job once. A start rejects with `SchemaMissing` if its tables are missing. */
export const { start, runJob, runTask } = service

if (import.meta.main) await runAsProcess(service, rewindCommand(service))
