import { setTimeout as delay } from 'node:timers/promises'
import { schemaOf, SettingError, type Contract, type Environment, type JobDeclaration } from '@svc/contract'
import { hitWorkerLimit, isTableMissing, lead } from '@svc/postgres'
import { scheduled } from './duties.ts'
import { isOutage } from './errors.ts'
import { logOf, openKit, type Kit, type OpenedKit, type Overrides } from './kit.ts'
import type { Log } from './log.ts'
import { relayOutbox } from './relay.ts'
import { runWithin, type JobReport } from './scheduler.ts'
import { closeOnce, type Definition } from './service.ts'

/** 0 done or skipped, 1 failed, 2 a table is missing or a person has to act. */
export type ExitCode = 0 | 1 | 2

/** Maximum time that a single run waits for Postgres and for NATS. */
const PATIENCE_MS = 5_000
/** Maximum time that a single run waits for the lead: longer than Postgres keeps the lock of a killed leader. */
const LEAD_WAIT_MS = 5_000

/**
 * Runs work, logs its outcome with `what`, and returns the exit code of the process: 0 done; 1 an outage or a bug; 2 a
 * table is missing, or the error's `exitCode` is 2. A statement or lock timeout returns 0 if the next run makes up for
 * it (`repeats`). Rejects with `SettingError`.
 */
export async function runOnce(log: Log, what: object, work: () => Promise<object>, repeats = true): Promise<ExitCode> {
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

/** Throws `SettingError` with a list of the jobs for a name that a contract does not declare. */
export function jobNamed({ name: service, jobs }: Contract, name: string): JobDeclaration {
  const declared = Object.hasOwn(jobs, name) ? (jobs as Record<string, JobDeclaration>)[name] : undefined
  if (declared !== undefined) return declared
  const names = Object.keys(jobs).join(', ')
  throw new SettingError(`${service} has no job ${name}: use --job NAME --once with one of ${names}.`)
}

/**
 * Runs one job of a service once, within its budget and under the lead of the schema, publishes the events that it
 * recorded, and returns the exit code (see `runOnce`). Logs one line with the report of the job. While another process
 * leads, which runs all jobs anyway, the run is skipped with 0. `dryRun` turns on the dry-run setting that the job
 * declares.
 */
export async function runJob<K extends Contract, O extends Overrides>(
  definition: Definition<K, O>,
  name: string,
  environment: Environment,
  overrides: O & { readonly dryRun?: boolean },
): Promise<ExitCode> {
  const { contract, compose } = definition
  const declared = jobNamed(contract, name)
  const dryRun = overrides.dryRun === true ? dryRunOf(declared, name) : null
  const what = { job: name }
  return withKit(definition, environment, { ...overrides, what, dryRun }, async ({ kit, storage }, opened, given) => {
    const parts = await compose(kit, { environment: given, overrides })
    opened.defer(async () => parts.release?.())
    opened.defer(closeOnce(parts))
    const job = scheduled(contract, parts).find((one) => one.name === name)
    if (job === undefined) throw new Error(`${contract.name} composes no job ${name}`)
    // Whoever leads runs no other process beside it, which could hold a part.
    const prepare = async () => void (declared.shared === true && (await parts.shares?.hold(parts.shares.names)))
    if (storage === null) return reportOf(await runWithin(job, new AbortController()))
    const { pool, url } = storage
    const relay = relayOutbox({ pool, bus: kit.bus, service: contract.name, log: kit.log })
    return leading(url, contract.name, async (signal) => {
      const stop = new AbortController()
      signal.addEventListener('abort', () => stop.abort(signal.reason), { once: true })
      await prepare()
      const report = await runWithin(job, stop)
      await relay(stop.signal)
      return reportOf(report)
    })
  })
}

/**
 * Runs a command of a service other than a job, such as a repair, with the connections of the service and without the
 * lead. Returns the exit code (see `runOnce`); a statement or lock timeout is a failure.
 */
export function runTask<K extends Contract, O extends Overrides>(
  definition: Definition<K, O>,
  what: object,
  environment: Environment,
  work: (kit: Kit<K>) => Promise<object>,
  overrides: O,
): Promise<ExitCode> {
  return withKit(definition, environment, { ...overrides, what, repeats: false }, ({ kit }) => work(kit))
}

interface Run extends Overrides {
  readonly what: object
  readonly repeats?: boolean
  readonly dryRun?: string | null
}

async function withKit<K extends Contract, O extends Overrides>(
  { contract, prepare }: Definition<K, O>,
  environment: Environment,
  { what, repeats, dryRun = null, clock, ...overrides }: Run,
  work: (connected: OpenedKit<K>, opened: AsyncDisposableStack, environment: Environment) => Promise<object>,
): Promise<ExitCode> {
  const log = logOf(contract, environment, overrides)
  const run = async () => {
    await using opened = new AsyncDisposableStack()
    const prepared = (await prepare?.(environment)) ?? environment
    const given = { log, clock, dryRun, patienceMs: PATIENCE_MS }
    return await work(await openKit(contract, prepared, opened, given), opened, prepared)
  }
  return runOnce(log, what, run, repeats)
}

/** Runs work while this process leads the schema of a service; skips it while another process does. */
async function leading(url: string, service: string, work: (signal: AbortSignal) => Promise<object>): Promise<object> {
  const { promise, resolve } = Promise.withResolvers<{ readonly work: Promise<object> }>()
  let ran = false
  const lease = lead(url, `lead:${schemaOf(service)}`, async (signal, guard) => {
    if (ran) return
    ran = true
    const running = guard(() => work(signal))
    // In an object: a promise that is resolved with another one waits for its end.
    resolve({ work: running })
    await running.catch(() => {})
  })
  try {
    const cancel = new AbortController()
    const skipped = delay(LEAD_WAIT_MS, null, { signal: cancel.signal }).catch(() => null)
    const running = await Promise.race([promise, skipped])
    cancel.abort()
    if (running === null) return { skipped: `another process leads ${service} and runs its jobs` }
    return await running.work
  } finally {
    ran = true
    await lease.stop()
  }
}

const reportOf = (report: JobReport): object => {
  const { nextAt: _, ...figures } = report
  return figures
}

/** Returns the key of the setting that turns on the dry run of a job; throws for a job without one. */
function dryRunOf({ dryRun }: JobDeclaration, name: string): string {
  if (dryRun === undefined) throw new SettingError(`The job ${name} has no dry run: omit --dry-run.`)
  return dryRun
}
