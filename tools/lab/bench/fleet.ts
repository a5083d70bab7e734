import { freePort } from '@svc/servers'
import { NO_LIMITS } from '@svc/tools/dev/no-limits.ts'
import { serviceProcess, type ServiceProcess } from '@svc/tools/dev/services.ts'
import { openSink } from './sink.ts'
import type { Stage } from './stage.ts'

/** Instances of services as processes, of which each can be started and ended alone. */
export interface Fleet extends AsyncDisposable {
  start(service: string): Promise<Instance>
  /** Processes of all running instances and of the servers. */
  pids(): readonly number[]
}

export interface Instance {
  readonly service: string
  readonly process: ServiceProcess
  /** Port of the API of a gateway; unused by others. */
  readonly port: number
}

/** Opens a fleet over the servers of a stage; `natsUrl` replaces its NATS. */
export async function openFleet({ prepared }: Stage, natsUrl = prepared.servers.nats.url): Promise<Fleet> {
  const sink = await openSink()
  const running: ServiceProcess[] = []
  return {
    start: async (service) => {
      const port = await freePort()
      const settings = {
        SVC_PORT: String(port),
        SVC_NATS_URL: natsUrl,
        SVC_OTLP_URL: sink.url,
        SVC_TRACE_RATIO: '0.01',
        SVC_POSTGRES_POOL: '10',
        ...NO_LIMITS,
      }
      const process = serviceProcess(service, prepared.environmentOf(service, settings))
      running.push(process)
      await process.start()
      return { service, process, port }
    },
    pids: () => {
      const { postgres, nats, redis } = prepared.servers
      return [...running, postgres, nats, redis].flatMap((one) => one.pid() ?? [])
    },
    [Symbol.asyncDispose]: async () => {
      // The gateway stops last to be asked and first to end, as in a deployment.
      for (const one of running.toReversed()) if (one.pid() !== null) await one.stop()
      sink[Symbol.dispose]()
    },
  }
}

/** Returns whether an instance leads the schema of its service. */
export async function isLeader({ process }: Instance): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${process.internalPort()}/metrics`)
  return /^hub_leader(?:\{[^}]*\})? 1$/m.test(await answer.text())
}
