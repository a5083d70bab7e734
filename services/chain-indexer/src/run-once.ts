import { loadSettings, SettingError, type Environment } from '@svc/contract'
import { postgresSettings, serviceSettings } from '@svc/contracts'
import { chainIndexerSettings } from '@svc/contracts/chain-indexer-settings'
import { openPool } from '@svc/postgres'
import { isOutage, openLog, systemClock, type Overrides } from '@svc/service'
import { createContext, SchemaMissing } from './context.ts'
import { jobs } from './jobs.ts'
import { StreamStopped } from './stream.ts'

type JobName = keyof typeof jobs

/** Job that a command line of `--job NAME --once` names; null without one. Throws `SettingError` for any other words. */
export function jobNamed(words: readonly string[]): JobName | null {
  if (words.length === 0) return null
  const name = words[words.indexOf('--job') + 1]
  if (words.length !== 3 || !words.includes('--once') || name === undefined || !Object.hasOwn(jobs, name))
    throw new SettingError(`Use --job NAME --once, where NAME is one of ${Object.keys(jobs).join(', ')}.`)
  return name as JobName
}

/**
 * Runs one tick of a job and answers the exit code of the process: 0 done, also when a statement or lock timeout made
 * it skip; 1 the RPC or Postgres is away, a wrong setting or a bug; 2 a table is missing or the stream stands still.
 * Its events leave with the service's relay.
 */
export async function runOnce(name: JobName, environment: Environment, overrides: Overrides = {}): Promise<0 | 1 | 2> {
  const log = overrides.log ?? openLog('chain-indexer', loadSettings(serviceSettings, environment).logLevel)
  const clock = overrides.clock ?? systemClock
  const pool = await openPool(loadSettings(postgresSettings, environment).postgresUrl)
  try {
    const settings = loadSettings(chainIndexerSettings, environment)
    const context = await createContext({ pool, clock, log, settings })
    log.info({ job: name, ...(await jobs[name](context)(AbortSignal.timeout(RUN_MAX_MS))) }, 'job')
    return 0
  } catch (error) {
    if (error instanceof SchemaMissing || error instanceof StreamStopped || hasCode(error, UNDEFINED_TABLE)) {
      log.error({ job: name, reason: error instanceof Error ? error.message : '' }, 'job cannot run')
      return 2
    }
    const timedOut = TIMEOUTS.some((code) => hasCode(error, code))
    log[timedOut || isOutage(error) ? 'warn' : 'error'](
      { err: error, job: name },
      timedOut ? 'job skipped' : 'job failed',
    )
    return timedOut ? 0 : 1
  } finally {
    await pool.end()
  }
}

const RUN_MAX_MS = 600_000
const UNDEFINED_TABLE = '42P01'
/** Statement cancelled by its timeout, lock not had in time. */
const TIMEOUTS = ['57014', '55P03'] as const

function hasCode(error: unknown, code: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (Reflect.get(cause, 'code') === code) return true
  }
  return false
}
