import { consumerOf, streamOf, type Contract, type JobDeclaration } from '@svc/contract'
import { outboxLag, type Pool } from '@svc/postgres'
import { READ_MS, within } from './gauges.ts'
import { gaugeOf } from './instruments.ts'
import type { Job } from './scheduler.ts'
import type { FoundConsumer, NeedsWatch } from './watch-needs.ts'

const setLeader = gaugeOf('hub_leader', 'Whether this process leads the schema of a service')
const setPending = gaugeOf('hub_outbox_pending', 'Events that wait to be published, at most 100000')
const setOldest = gaugeOf('hub_outbox_oldest_age_seconds', 'Age of the oldest event that waits; 0 if none waits')
const setConsumer = gaugeOf('hub_consumer_pending', 'Events of a consumer that were not delivered yet')

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

/**
 * Returns the measurement of a service's outbox and of the consumers of the events that it reacts to. The lag of a consumer
 * that is missing, or of which JetStream does not tell, is not exposed, and neither is what could not be read in time.
 */
export function openLag({ name, consumes }: Contract, pool: Pool, needs: Pick<NeedsWatch, 'look'>): Lag {
  const service = { service: name }
  setLeader(service, 0)
  let leads = false
  const consumers = consumes.map((consumed) => {
    const [publisher = '', event = ''] = consumed.split('.')
    return { stream: streamOf(publisher), consumer: consumerOf(name, event) }
  })
  const tell = (found: readonly FoundConsumer[]) => {
    for (const { stream, consumer, pending } of found) setConsumer({ stream, consumer }, pending)
  }
  return {
    measure: async () => {
      const readings = await Promise.allSettled([within(READ_MS, outboxLag(pool)), within(READ_MS, needs.look())])
      // The lead may have ended meanwhile: what another process measures now would be exposed twice.
      if (!leads) return { done: 0 }
      const [outbox, found] = readings
      setPending(service, outbox.status === 'fulfilled' ? outbox.value.pending : null)
      setOldest(service, outbox.status === 'fulfilled' ? outbox.value.oldest : null)
      tell(found.status === 'fulfilled' ? found.value : consumers.map((one) => ({ ...one, pending: null })))
      for (const one of readings) if (one.status === 'rejected') throw one.reason
      return { done: 0 }
    },
    lead: (leading) => {
      leads = leading
      setLeader(service, leading ? 1 : 0)
      if (leading) return
      for (const set of [setPending, setOldest]) set(service, null)
      for (const { stream, consumer } of consumers) setConsumer({ stream, consumer }, null)
    },
  }
}
