import { loadSettings, SettingError, type Environment } from '@svc/contract'
import { postgresSettings, serviceSettings } from '@svc/contracts'
import { keeper } from '@svc/contracts/keeper'
import { openPool } from '@svc/postgres'
import { openBus, openLog, runOnce, systemClock, type Clock } from '@svc/service'
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
 * Runs a job once and answers the exit code of the process: 0 done, also when a statement or lock timeout made it skip;
 * 1 the RPC, Postgres, NATS or the signer is away, or a bug; 2 a table goes missing. Rejects with `SettingError`. What
 * `mark` and `settle` decide leaves with `send`.
 */
export async function runJob(name: JobName, environment: Environment, clock: Clock = systemClock): Promise<0 | 1 | 2> {
  const { natsUrl, natsSeed, logLevel } = loadSettings(serviceSettings, environment)
  const { postgresUrl } = loadSettings(postgresSettings, environment)
  const settings = loadSettings(keeper.settings, environment)
  const log = openLog('keeper', logLevel)
  const ends: (() => Promise<void>)[] = []
  const work = async () => {
    const pool = await openPool(postgresUrl)
    ends.unshift(() => pool.end())
    const bus = await openBus({ url: natsUrl, name: 'keeper', seed: natsSeed, log })
    ends.unshift(() => bus.close())
    const context = await createContext({ pool, bus, log, settings, clock })
    return jobs[name](context)(AbortSignal.timeout(keeper.jobs[name].budgetSec * 1000))
  }
  try {
    return await runOnce(log, { job: name }, work)
  } finally {
    for (const end of ends) await end()
  }
}
