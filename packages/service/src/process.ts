import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { loadSettings, type Environment } from '@svc/contract'
import { serviceSettings } from '@svc/contracts'
import { openInternalServer, type InternalServer } from './health.ts'
import { metricsText } from './meters.ts'
import type { Overrides, RunningService } from './service.ts'
import { whyNot } from './why-not.ts'

/**
 * Fits the heap to a server that has started (docs/adr/0015): V8's defaults are made for pages and short scripts.
 * The collection clears what only the start needed, and sets how far the heap may grow from there.
 */
function fitHeap(): void {
  // V8 may decide that the objects of a request are long-lived and create them in the old generation. From there dead
  // requests keep younger ones alive, so each minor collection copies megabytes and takes 10 to 30 ms instead of one.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // The old generation may grow by half of what lives before it is collected whole; by default it may grow several times.
  setFlagsFromString('--heap-growing-percent=50')
  // V8 takes a load whose garbage is cheap to collect for idleness: it gives memory back that is asked for again at once.
  setFlagsFromString('--gc-memory-reducer-start-delay-ms=600000')
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  setFlagsFromString('--no-expose-gc')
}

type Start = (environment: Environment, overrides?: Overrides) => Promise<RunningService>

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
 * Runs the work of a process. What an operator can put right ends the process with one sentence and code 1, or with the
 * error's `exitCode`; any other failure with its stack.
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

/**
 * Runs one service as a process: starts it, opens the internal port, and on SIGTERM or SIGINT drains and exits 0. Fails
 * as `orExit` does.
 */
export async function runAsProcess(start: Start): Promise<void> {
  await orExit(async () => {
    const service = await start(process.env)
    const internal = await openInternal(process.env, [service])
    let stopping = false
    const stop = () => {
      if (stopping) return
      stopping = true
      internal.drain()
      void service
        .stop()
        .finally(() => internal.close())
        .finally(() => process.exit(0))
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
    // The process that started this one is gone, however it ended.
    process.on('disconnect', stop)
    process.send?.({ ready: service.name, internalPort: internal.port })
  })
}
