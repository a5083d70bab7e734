import { metrics, type ObservableGauge } from '@opentelemetry/api'
import { consumerOf, streamOf, type Contract, type JobDeclaration } from '@svc/contract'
import { jetstreamManager } from '@nats-io/jetstream'
import { outboxLag, type Pool } from '@svc/postgres'
import type { Bus } from './bus.ts'
import './meters.ts'
import type { Job } from './scheduler.ts'

const meter = metrics.getMeter('svc')

/** Returns a setter of a gauge. A value of null is exposed as NaN, because the SDK repeats what it has seen once. */
function gaugeOf(name: string, description: string, label: string): (key: string, value: number | null) => void {
  const values = new Map<string, number>()
  const gauge: ObservableGauge = meter.createObservableGauge(name, { description })
  gauge.addCallback((result) => {
    for (const [key, value] of values) result.observe(value, { [label]: key })
  })
  return (key, value) => void values.set(key, value ?? Number.NaN)
}

const setLeader = gaugeOf('hub_leader', 'Whether this process leads the schema of a service', 'service')
const setPending = gaugeOf('hub_outbox_pending', 'Events that wait to be published, at most 100000', 'service')
const setOldest = gaugeOf(
  'hub_outbox_oldest_age_seconds',
  'Age of the oldest event that waits; 0 if none waits',
  'service',
)
const setConsumer = gaugeOf('hub_consumer_pending', 'Events of a consumer that were not delivered yet', 'consumer')

export const LAG: JobDeclaration = {
  summary: 'Measure what waits in the outbox and at the consumers',
  everyMs: 15_000,
  max: 1,
  budgetSec: 10,
}

/** Lags of one service as metrics; only the process that leads its schema exposes them. */
export interface Lag {
  readonly measure: Job
  /** Called when this process begins or ends to lead. */
  lead(leading: boolean): void
}

/** Returns the measurement of a service's outbox and of the consumers of the events that it reacts to. */
export function openLag({ name, consumes }: Contract, pool: Pool, bus: Bus): Lag {
  setLeader(name, 0)
  let leads = false
  const consumers = consumes.map((consumed) => {
    const [publisher = '', event = ''] = consumed.split('.')
    return { stream: streamOf(publisher), durable: consumerOf(name, event) }
  })
  return {
    measure: async () => {
      const { pending, oldest } = await outboxLag(pool)
      const manager = await jetstreamManager(bus.connection, { checkAPI: false, timeout: 5_000 })
      const infos = await Promise.all(consumers.map(({ stream, durable }) => manager.consumers.info(stream, durable)))
      // The lead may have ended meanwhile: what another process measures now would be exposed twice.
      if (!leads) return { done: 0 }
      setPending(name, pending)
      setOldest(name, oldest)
      for (const { name: durable, num_pending } of infos) setConsumer(durable, num_pending)
      return { done: 0 }
    },
    lead: (leading) => {
      leads = leading
      setLeader(name, leading ? 1 : 0)
      if (leading) return
      setPending(name, null)
      setOldest(name, null)
      for (const { durable } of consumers) setConsumer(durable, null)
    },
  }
}
