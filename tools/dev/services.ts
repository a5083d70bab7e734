import { fork, type ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { loadSettings, placeOf, type Environment } from '@svc/contract'
import { serviceSettings } from '@svc/contracts'
import { contracts } from '@svc/contracts/all'
import { openInternal, StartProblem, startTracing, whyNot, type Overrides, type RunningService } from '@svc/service'
import type { Extend } from './demo-wallet/routes.ts'
import type { Prepared } from './platform.ts'

export const SERVICES: readonly string[] = contracts.map((contract) => contract.name)

/** Node options of every service, as in its image: the default heap for short-lived objects grows by 70 to 150 MB between collections. */
export const nodeOptions: readonly string[] = ['--max-semi-space-size=8']

/** Time limit for a process to load its code and reach its servers on a busy machine. */
const READY_MS = 120_000
const CHECKS_MS = 30_000
/** Pause between two checks of a service: a tenth of the time that has passed, within these bounds. */
const CHECK_PAUSE_MS = { least: 50, most: 500 }
const STOP_MS = 35_000

/** Returns the path of the entry of a service. */
export function mainOf(service: string): string {
  const contract = contracts.find(({ name }) => name === service)
  if (contract === undefined) throw new Error(`there is no service ${service}`)
  return fileURLToPath(new URL(`../../${placeOf(contract).main}`, import.meta.url))
}

/** Running services. */
export interface Running {
  /** Failing checks with their services; empty if all pass. */
  readonly late: string
  /** Port of `/readyz` and `/metrics` by service. */
  readonly internalPorts: ReadonlyMap<string, number>
  stop(): Promise<void>
}

/** A check that failed until the time limit. */
interface Late {
  readonly service: string
  readonly check: string
}

/** Repeats checks until all pass or a slow venue should be ready; returns the failing ones. */
async function lateChecks<C extends Late>(checks: readonly C[], passes: (check: C) => Promise<boolean>): Promise<C[]> {
  const began = performance.now()
  const pauseMs = () => Math.min(CHECK_PAUSE_MS.most, Math.max(CHECK_PAUSE_MS.least, (performance.now() - began) / 10))
  const late = async (check: C): Promise<C[]> => {
    while (!(await passes(check).catch(() => false))) {
      if (performance.now() - began > CHECKS_MS) return [check]
      await delay(pauseMs())
    }
    return []
  }
  return (await Promise.all(checks.map(late))).flat()
}

/** Returns the failing checks as text: the platform is usable without a slow venue. */
const lateText = (late: readonly Late[]) => late.map(({ service, check }) => `${service} (${check})`).join(', ')

/** Waits for the checks of services in this process. */
async function allReady(services: readonly RunningService[]): Promise<string> {
  const checks = services.flatMap(({ name, checks: ofService }) =>
    Object.entries(ofService).map(([check, pass]) => ({ service: name, check, pass })),
  )
  return lateText(await lateChecks(checks, async ({ pass }) => pass()))
}

/** Waits for the checks of processes, by their internal ports. */
async function answeredReady(ports: ReadonlyMap<string, number>): Promise<string> {
  const checks = [...ports].map(([service, port]) => ({ service, check: '/readyz', port }))
  return lateText(await lateChecks(checks, async ({ port }) => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok))
}

/** Opens the internal port of a process: the configured one, or a free one if another process uses it. */
export async function openInternalSomewhere(environment: Environment, services: readonly RunningService[]) {
  try {
    return await openInternal(environment, services)
  } catch (error) {
    if (!(error instanceof Error) || Reflect.get(error, 'code') !== 'EADDRINUSE') throw error
    return openInternal({ ...environment, SVC_INTERNAL_PORT: '0' }, services)
  }
}

export interface InProcessOptions {
  /** Called for each service when it is starting, and when it is ready or could not start. */
  readonly note?: (line: string) => void
  readonly overridesOf?: (service: string) => Overrides & {
    /** Of the gateway alone: adds routes to its public server. */
    readonly extend?: Extend
  }
  /** The services to start, the gateway last; default: all. */
  readonly services?: readonly string[]
}

/**
 * Starts a service and prints two lines: that it is starting, and that it is ready or why it is not. It prints no stack,
 * because the caller reports the failed start.
 */
export async function startNoted<T>(name: string, note: (line: string) => void, start: () => Promise<T>): Promise<T> {
  note(`  ${name} is starting`)
  const began = performance.now()
  try {
    const started = await start()
    note(`  ${name} is ready after ${((performance.now() - began) / 1000).toFixed(2)} s`)
    return started
  } catch (error) {
    note(`  ${name} could not start: ${whyNot(error) ?? (error instanceof Error ? error.message : String(error))}`)
    throw error
  }
}

/** Starts the services in this process, each with its own connection and pool; the gateway last. */
export async function startInProcess(
  prepared: Pick<Prepared, 'environmentOf'>,
  more: (service: string) => Environment,
  { note = () => {}, overridesOf = () => ({}), services = SERVICES }: InProcessOptions = {},
): Promise<Running> {
  const shared = prepared.environmentOf('gateway', more('gateway'))
  await startTracing({ service: 'platform', ...loadSettings(serviceSettings, shared) })
  const running: RunningService[] = []
  const stop = async () => {
    for (const service of [...running].reverse()) await service.stop()
  }
  try {
    for (const name of services) {
      const started = startNoted(name, note, async () => {
        const { start } = (await import(mainOf(name))) as {
          start: (environment: Environment, overrides: Overrides) => Promise<RunningService>
        }
        return start(prepared.environmentOf(name, more(name)), overridesOf(name))
      })
      running.push(await started)
    }
    const late = await allReady(running)
    const internal = await openInternalSomewhere(shared, running)
    return {
      late,
      internalPorts: new Map(services.map((name) => [name, internal.port])),
      stop: async () => {
        internal.drain()
        await stop()
        await internal.close()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A service as a separate process. */
export interface ServiceProcess {
  readonly name: string
  /** Starts the process; resolves when it reports that it is ready. */
  start(): Promise<void>
  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
  /** Kills the process (`kill -9`); resolves when it is gone. */
  kill(): Promise<void>
  pid(): number | null
  /** Port of `/readyz` and `/metrics`; null until it is ready. */
  internalPort(): number | null
}

/** Returns a service as a child process that can be started, stopped and killed repeatedly. */
export function serviceProcess(name: string, environment: Environment, onExit: () => void = () => {}): ServiceProcess {
  let child: ChildProcess | null = null
  let ended: Promise<number | null> = Promise.resolve(0)
  let asked = false
  let internalPort: number | null = null
  return {
    name,
    pid: () => child?.pid ?? null,
    internalPort: () => internalPort,
    start: async () => {
      asked = false
      const started = fork(mainOf(name), [], {
        execArgv: [...nodeOptions],
        env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...environment },
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        // Ctrl-C in a terminal must not stop all services at once: the gateway stops first. The end of this process closes the channel.
        detached: true,
      })
      child = started
      ended = new Promise((resolve) => {
        started.once('exit', (code) => {
          if (child === started) child = null
          if (!asked) onExit()
          resolve(code)
        })
      })
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new StartProblem(`Waited ${READY_MS / 1000} s for ${name}, which did not become ready.`)),
          READY_MS,
        )
        started.once('message', (message: { internalPort: number }) => {
          clearTimeout(timer)
          internalPort = message.internalPort
          resolve()
        })
        started.once('exit', (code) => {
          clearTimeout(timer)
          reject(new StartProblem(`${name} ended with code ${code} before it was ready; its output says why.`))
        })
      })
    },
    stop: async () => {
      asked = true
      const current = child
      current?.kill('SIGTERM')
      const timer = setTimeout(() => current?.kill('SIGKILL'), STOP_MS)
      return ended.finally(() => clearTimeout(timer))
    },
    kill: async () => {
      asked = true
      child?.kill('SIGKILL')
      await ended
    },
  }
}

const RESTARTS_MINUTE_MAX = 5

/** Starts a process per service, as in production. A process that ends unexpectedly is logged and restarted, at most 5 times a minute. */
export async function startIsolated(
  prepared: Pick<Prepared, 'environmentOf'>,
  more: (service: string) => Environment,
  log: (line: string) => void,
  services: readonly string[] = SERVICES,
): Promise<Running> {
  let supervised = false
  const again = (name: string, process: () => ServiceProcess | undefined) => {
    let restarts: number[] = []
    return () => {
      if (!supervised) return
      restarts = [...restarts.filter((time) => time > Date.now() - 60_000), Date.now()]
      if (restarts.length > RESTARTS_MINUTE_MAX) return log(`${name} keeps ending by itself and is not started again`)
      log(`${name} ended by itself and is started again`)
      process()
        ?.start()
        .catch((error: unknown) => log(error instanceof Error ? error.message : `${name} could not be started again`))
    }
  }
  const processes = new Map<string, ServiceProcess>()
  const internalPorts = () => new Map([...processes].map(([name, one]) => [name, one.internalPort() ?? 0]))
  const stop = async () => {
    supervised = false
    const [edge, ...rest] = [...processes.values()].reverse()
    await edge?.stop()
    await Promise.all(rest.map((one) => one.stop()))
  }
  try {
    for (const name of services)
      processes.set(
        name,
        serviceProcess(
          name,
          prepared.environmentOf(name, more(name)),
          again(name, () => processes.get(name)),
        ),
      )
    const startOne = (one: ServiceProcess) => startNoted(one.name, log, () => one.start())
    const results = await Promise.allSettled([...processes.values()].map(startOne))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    supervised = true
    const late = await answeredReady(internalPorts())
    return { internalPorts: internalPorts(), stop, late }
  } catch (error) {
    await stop()
    throw error
  }
}
