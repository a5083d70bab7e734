import { loadSettings, SettingError, type Environment } from '@svc/contract'
import { postgresSettings, serviceSettings } from '@svc/contracts'
import { keeper } from '@svc/contracts/keeper'
import { openPool } from '@svc/postgres'
import { isOutage, openBus, openLog, systemClock, type Clock } from '@svc/service'
import { createContext } from './context.ts'
import { jobs } from './jobs.ts'

type JobName = keyof typeof jobs

/** Reads `--job NAME --once`; null without words. Throws `SettingError` for any others. */
export function onceOf(words: readonly string[]): JobName | null {
  if (words.length === 0) return null
  const [first, name = '', second] = words
  if (first === '--job' && second === '--once' && words.length === 3 && Object.hasOwn(jobs, name))
    return name as JobName
  throw new SettingError(`Use --job NAME --once with one of ${Object.keys(jobs).join(', ')}.`)
}

/**
 * Runs a job once and answers the exit code of the process: 0 done, 1 the RPC, Postgres, NATS or the signer is away, a
 * wrong setting or a bug, 2 a table is missing. What `mark` and `settle` decide leaves with `send`.
 */
export async function runOnce(name: JobName, environment: Environment, clock: Clock = systemClock): Promise<number> {
  const { natsUrl, natsSeed, logLevel } = loadSettings(serviceSettings, environment)
  const log = openLog('keeper', logLevel)
  const pool = await openPool(loadSettings(postgresSettings, environment).postgresUrl)
  const bus = await openBus({ url: natsUrl, name: 'keeper', seed: natsSeed, log })
  try {
    const settings = loadSettings(keeper.settings, environment)
    const context = await createContext({ pool, bus, log, settings, clock })
    const report = await jobs[name](context)(AbortSignal.timeout(keeper.jobs[name].budgetSec * 1000))
    log.info({ job: name, ...report }, 'done')
    return 0
  } catch (error) {
    log[isOutage(error) ? 'warn' : 'error']({ err: error, job: name }, 'job failed')
    const code: unknown = error instanceof Error ? Reflect.get(error, 'exitCode') : undefined
    return typeof code === 'number' ? code : 1
  } finally {
    await bus.close()
    await pool.end()
  }
}
