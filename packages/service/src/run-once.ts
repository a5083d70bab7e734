import { SettingError } from '@svc/contract'
import { hitWorkerLimit, isTableMissing } from '@svc/postgres'
import { isOutage } from './errors.ts'
import type { Log } from './log.ts'

/**
 * Runs a worker once, as a scheduler does, logs how it ended beside `what`, and answers the exit code of the process: 0
 * done; 1 a dependency is away, or a bug; 2 a table is missing, or the error says so by its `exitCode`. Hitting a
 * statement or lock timeout is 0 as well where the next run makes up for it (`repeats`). Rejects with `SettingError`.
 */
export async function runOnce(log: Log, what: object, work: () => Promise<object>, repeats = true): Promise<0 | 1 | 2> {
  try {
    log.info({ ...what, ...(await work()) }, 'done')
    return 0
  } catch (error) {
    if (error instanceof SettingError) throw error
    if (error instanceof Error && (isTableMissing(error) || Reflect.get(error, 'exitCode') === 2)) {
      log.error({ ...what, reason: error.message }, 'job cannot run')
      return 2
    }
    const skipped = repeats && hitWorkerLimit(error)
    log[skipped || isOutage(error) ? 'warn' : 'error']({ err: error, ...what }, skipped ? 'job skipped' : 'job failed')
    return skipped ? 0 : 1
  }
}
