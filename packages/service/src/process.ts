import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { loadSettings, SettingError, type Contract, type Environment, type SettingDeclaration } from '@svc/contract'
import { serviceSettings } from '@svc/contracts'
import { collectGarbage } from './collect-garbage.ts'
import { openInternalServer, type InternalServer } from './health.ts'
import { metricsText } from './meters.ts'
import type { Service } from './define-service.ts'
import { openLog } from './log.ts'
import { migrateSchema } from './migrate-schema.ts'
import type { ExitCode } from './run-job.ts'
import type { RunningService } from './service.ts'
import { whyNot } from './why-not.ts'

/**
 * Adjusts the heap to a server that has started (docs/adr/0015): V8's defaults suit pages and short scripts. The
 * collection clears the garbage of the start, and determines how far the heap may grow from there.
 */
export function fitHeap(): void {
  // V8 may decide that the objects of a request are long-lived and create them in the old generation. From there dead
  // requests keep younger ones alive, so each minor collection copies megabytes and takes 10 to 30 ms instead of one.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // The old generation may grow by half of what lives before it is collected whole; by default it may grow several times.
  setFlagsFromString('--heap-growing-percent=50')
  // V8 mistakes a load whose garbage is cheap to collect for idleness, and returns memory that is needed again at once.
  setFlagsFromString('--gc-memory-reducer-start-delay-ms=600000')
  collectGarbage()
}

/** Opens the internal port for services that run in this process. */
export async function openInternal(
  environment: Environment,
  services: readonly RunningService[],
): Promise<InternalServer> {
  const settings = loadSettings(serviceSettings, environment)
  const build = { version: settings.version, commit: settings.commit }
  const internal = await openInternalServer({
    host: settings.internalHost,
    port: settings.internalPort,
    build,
    metrics: metricsText,
  })
  for (const service of services) internal.add(service.name, service.checks)
  fitHeap()
  return internal
}

/**
 * Runs the work of a process. An error that an operator can fix ends the process with one sentence and code 1, or with
 * the error's `exitCode`; any other failure ends it with its stack.
 */
export async function orExit(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    process.stderr.write(`${whyNot(error) ?? String(error instanceof Error ? error.stack : error)}\n`)
    const code: unknown = error instanceof Error ? Reflect.get(error, 'exitCode') : undefined
    process.exit(typeof code === 'number' ? code : 1)
  }
}

/** A command of a service besides its jobs, such as a repair. */
export interface Command {
  /** Usage line: the words and, after two spaces, their effect. */
  readonly usage: string
  /** Runs the words if they name this command and returns the exit code; null for other words. */
  run(words: readonly string[]): Promise<ExitCode> | null
}

/**
 * Runs a service as a process according to the command line: without words it starts the service, and SIGTERM or SIGINT
 * drains it and ends with 0; `--job NAME --once [--dry-run]` runs a job; `--migrate` brings the schema to the newest
 * version; `--help` prints the usage. Fails as `orExit` does.
 */
export async function runAsProcess(
  service: Pick<Service, 'contract' | 'start' | 'runJob'>,
  ...commands: readonly Command[]
): Promise<void> {
  const words = process.argv.slice(2)
  await orExit(async () => {
    if (words.length === 0) return serveUntilStopped(service)
    if (words[0] === '--help') return void process.stdout.write(usageOf(service.contract, commands))
    if (words[0] === '--migrate' && words.length === 1) return migrateSchema(service.contract, process.env)
    const job = runJobOf(service, words)
    const code = commands.reduce((found, command) => found ?? command.run(words), job)
    if (code === null) throw new SettingError(`Use one of:\n${usageOf(service.contract, commands)}`.trimEnd())
    process.exitCode = await code
  })
}

function usageOf({ jobs }: Contract, commands: readonly Command[]): string {
  const lines = [
    'node src/main.ts  runs the service',
    `node src/main.ts --job NAME --once [--dry-run]  runs a job once: ${Object.keys(jobs).join(', ')}`,
    'node src/main.ts --migrate  brings the schema to the newest version, as its migrator role',
    ...commands.map(({ usage }) => `node src/main.ts ${usage}`),
  ]
  return `${lines.join('\n')}\n
Settings come from the environment. Exit codes: 0 done, or a run skipped by a statement or lock timeout or because another
process leads; 1 failed; 2 a table is missing, or a person has to act.
`
}

function runJobOf({ runJob }: Pick<Service, 'runJob'>, words: readonly string[]): Promise<ExitCode> | null {
  const [first, name = '', once, dry] = words
  const known =
    first === '--job' && once === '--once' && words.length <= 4 && (dry === undefined || dry === '--dry-run')
  return known ? runJob(name, process.env, { dryRun: dry !== undefined }) : null
}

/**
 * Deletes a service's own secrets from the environment of this process: a later dump of the environment, such as a
 * diagnostic report or a child process, then contains none.
 */
function forgetSecrets({ settings }: Contract): void {
  const declared: readonly SettingDeclaration[] = Object.values(settings)
  for (const { env, secret } of declared) if (secret === true) delete process.env[env]
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

async function serveUntilStopped({ contract, start }: Pick<Service, 'contract' | 'start'>): Promise<void> {
  const { stopDelayMs, stopMaxMs, logLevel } = loadSettings(serviceSettings, process.env)
  // The first process of a container is not ended by a signal that it does not handle. Nothing is accepted before the start.
  const leaveAtOnce = () => process.exit(0)
  for (const signal of SIGNALS) process.on(signal, leaveAtOnce)
  const service = await start(process.env)
  forgetSecrets(contract)
  const internal = await openInternal(process.env, [service])
  let stopping = false
  const leave = async (): Promise<number> => {
    internal.drain()
    service.retire()
    await delay(stopDelayMs)
    const stopped = service.stop().then(
      () => true,
      () => true,
    )
    if (await Promise.race([stopped, delay(stopMaxMs, false, { ref: false })])) {
      await internal.close()
      return 0
    }
    const facts = { stop_max_ms: stopMaxMs }
    openLog(contract.name, logLevel).error(facts, 'work did not end in time: the process ends without it')
    return 1
  }
  const stop = () => {
    if (stopping) return
    stopping = true
    void leave().then((code) => process.exit(code))
  }
  for (const signal of SIGNALS) process.off(signal, leaveAtOnce).on(signal, stop)
  // The parent process has ended.
  process.on('disconnect', stop)
  process.send?.({ ready: service.name, internalPort: internal.port })
}
