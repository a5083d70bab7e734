import { consumerOf, streamOf, type Contract, type JobDeclaration } from '@svc/contract'
import { readersOf } from '@svc/contracts/generated/readers'
import { z } from 'zod'
import type { Bus } from './bus.ts'
import { Outage } from './errors.ts'
import type { Log } from './log.ts'
import type { Job } from './scheduler.ts'
import { openMissingAlarms } from './watch-needs.ts'

export const READERS: JobDeclaration = {
  summary: 'Compare the consumers of the stream of events with the contracts',
  everyMs: 60_000,
  max: 1,
  budgetSec: 30,
}

const ASK_MS = 5_000
/** What JetStream answers, at most 1,024 names in one answer. */
const namesAnswer = z.object({ consumers: z.array(z.string()).nullish(), error: z.unknown().optional() })

/** The comparison of a stream's consumers with the contracts; only the process that leads the schema exposes it. */
export interface ReadersWatch {
  readonly compare: Job
  /** Called when this process begins or ends to lead. */
  lead(leading: boolean): void
}

/**
 * Returns the job by which a publisher notices that a consumer of its events is missing: its stream keeps an event for the
 * consumers that it has, so what a missing one has not read is lost. `contracts` may name further consumers than the
 * product has, in tests. A service watches its own consumers anyway (`watchNeeds`).
 */
export function watchReaders(contract: Contract, contracts: readonly Contract[], bus: Bus, log: Log): ReadersWatch {
  const stream = streamOf(contract.name)
  const known = contracts.flatMap(({ name, consumes }) =>
    consumes.flatMap((consumed) => {
      const [publisher, event = ''] = consumed.split('.')
      return publisher === contract.name ? [consumerOf(name, event)] : []
    }),
  )
  const wanted = [...new Set([...(readersOf[contract.name] ?? []), ...known])].filter(
    (consumer) => !consumer.startsWith(consumerOf(contract.name, '')),
  )
  const alarms = openMissingAlarms(contract.name, log)
  let leads = false
  return {
    compare: async () => {
      const { data } = await bus.connection.request(`${bus.streamsApi}.CONSUMER.NAMES.${stream}`, '{"offset":0}', {
        timeout: ASK_MS,
      })
      const { consumers, error } = namesAnswer.parse(JSON.parse(Buffer.from(data).toString()))
      // The watch of the stream itself raises the alarm of a missing stream.
      if (error !== undefined) throw new Outage('nats', `JetStream does not name the consumers of ${stream}`)
      const found = new Set(consumers ?? [])
      if (!leads) return { done: 0 }
      for (const consumer of wanted) alarms.tell({ stream, consumer }, found.has(consumer) ? 'there' : 'missing')
      return { done: 0 }
    },
    lead: (leading) => {
      leads = leading
      if (!leading) alarms.forget()
    },
  }
}
