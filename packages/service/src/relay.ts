import { streamOf } from '@svc/contract'
import { jetstream, JetStreamApiError } from '@nats-io/jetstream'
import { headers } from '@nats-io/nats-core'
import { markSent, takeOutbox, type OutboxRow, type Pool } from '@svc/postgres'
import { managerOf, type Bus } from './bus.ts'
import { Outage } from './errors.ts'
import type { Log } from './log.ts'
import type { Job } from './scheduler.ts'
import { countAlarm, recordStreamFill } from './telemetry.ts'

const BATCH = 200
/** The stream did not store the preceding event. */
const WRONG_LAST_MESSAGE = 10_070

interface Relaying {
  readonly bus: Bus
  readonly service: string
  readonly log: Log
}

/**
 * Publishes the outbox of a schema in order until it is empty. Only the leader of the schema runs it. A row leaves
 * the outbox after the stream has acknowledged it. Its id with its number lets the stream drop duplicates, but not an event that
 * got another number to be published again. No event overtakes an earlier one: each event of a batch names its predecessor, without which the stream rejects it too. Events that a full stream
 * rejects wait, and are published one by one until the stream has room again.
 */
export function relayOutbox({ pool, bus, service, log }: Relaying & { readonly pool: Pool }): Job {
  const js = jetstream(bus.connection, { apiPrefix: bus.streamsApi, timeout: 5_000 })
  let refused = false
  const refuse = (error: unknown, subject: string) => {
    const isFirst = error instanceof JetStreamApiError && error.code !== WRONG_LAST_MESSAGE
    if (isFirst && !refused) {
      countAlarm('stream_full', subject)
      log.error({ alarm: 'stream_full', err: error, subject }, 'the stream rejects events; they wait in the outbox')
    }
    if (error instanceof JetStreamApiError) refused = true
    throw new Outage('nats', 'an event was not acknowledged', { cause: error })
  }
  const messageOf = ({ id, seq }: OutboxRow) => `${service}-${id}-${seq}`
  const publish = async (row: OutboxRow, before: OutboxRow | undefined) => {
    const hdrs = headers()
    hdrs.set('Nats-Msg-Id', messageOf(row))
    if (before !== undefined) hdrs.set('Nats-Expected-Last-Msg-Id', messageOf(before))
    if (row.traceparent !== null) hdrs.set('traceparent', row.traceparent)
    const text = JSON.stringify({ id: `${service}-${row.id}`, seq: row.seq, at: row.created_at, payload: row.payload })
    await js.publish(row.subject, text, { headers: hdrs }).catch((error: unknown) => refuse(error, row.subject))
  }
  return async (signal) => {
    let done = 0
    while (!signal.aborted) {
      const rows = await takeOutbox(pool, refused ? 1 : BATCH)
      if (rows.length === 0) break
      const sent = await Promise.allSettled(rows.map((row, at) => publish(row, rows[at - 1])))
      const failed = sent.findIndex(({ status }) => status === 'rejected')
      const stored = failed === -1 ? rows : rows.slice(0, failed)
      await markSent(pool, stored)
      done += stored.length
      if (failed !== -1) throw (sent[failed] as PromiseRejectedResult).reason
      refused = false
    }
    return { done }
  }
}

/** Share of its room above which a stream raises an alarm, and below which the alarm may be raised again. */
const NEAR_FULL = 0.8
const RELIEVED = 0.7

/** Records the fill level of the stream of a service, and raises an alarm before the stream rejects events. */
export function watchStream({ bus, service, log }: Relaying): Job {
  const stream = streamOf(service)
  let warned = false
  return async () => {
    const manager = await managerOf(bus, 5_000)
    const { state, config } = await manager.streams.info(stream).catch((error: unknown) => {
      recordStreamFill(stream, null)
      throw error
    })
    const share = (used: number, max: number) => (max > 0 ? used / max : 0)
    const fill = Math.max(share(state.bytes, config.max_bytes), share(state.messages, config.max_msgs))
    recordStreamFill(stream, fill)
    if (fill >= NEAR_FULL && !warned) {
      warned = true
      countAlarm('stream_near_full', stream)
      const facts = { stream, percent: Math.floor(fill * 100), messages: state.messages, bytes: state.bytes }
      log.error(
        { alarm: 'stream_near_full', ...facts },
        'the stream is almost full: look for a consumer that has stopped',
      )
    }
    if (fill < RELIEVED) warned = false
    return { done: 0 }
  }
}
