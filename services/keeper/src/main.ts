import { loadSettings } from '@svc/contract'
import { postgresSettings } from '@svc/contracts'
import { keeper } from '@svc/contracts/keeper'
import { keeperSettings } from '@svc/contracts/keeper/settings'
import { outboundCommand, outboundGauges } from '@svc/outbound'
import { migrate } from '@svc/postgres'
import { bind, defineService, runAsProcess, type AnyHandler, type Job } from '@svc/service'
import { createContext, type Context } from './context.ts'
import { handlers } from './handlers.ts'
import { jobPace, jobs } from './jobs.ts'
import { keeperGauges } from '#drips/store/figures.ts'
import { transactionKind } from '#transactions/store/transactions.ts'

const migrations = new URL('../migrations', import.meta.url).pathname

const service = defineService({
  contract: keeper,
  prepare: async (environment) => {
    const { postgresUrl: url } = loadSettings(postgresSettings, environment)
    if (loadSettings(keeperSettings, environment).schemaEnsure)
      await migrate({ url, schema: 'keeper', directory: migrations })
    return environment
  },
  compose: async (kit) => {
    const context = await createContext(kit)
    return {
      handlers: bind<Context, AnyHandler>(handlers, context),
      jobs: bind<Context, Job>(jobs, context),
      jobPace: jobPace(kit.settings),
      gauges: { ...keeperGauges(kit), ...outboundGauges(kit.pool, [transactionKind]) },
    }
  },
})
/** The service. A start rejects with `SettingError`, for example if the signer is not allowed at this node. */
export const { start, runJob, runTask } = service

if (import.meta.main) await runAsProcess(service, outboundCommand(service, [transactionKind]))
