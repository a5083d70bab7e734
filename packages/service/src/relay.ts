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
/** Nodes still agree on the same event, which was sent before. */
const DUPLICATE_IN_PROCESS = 10_158

interface Relaying {
  readonly bus: Bus
  readonly service: string
  readonly log: Log
}

/** Returns what is sent; `after`: place in the stream of the event before, without which the stream rejects it. */
function messageOf(service: string, row: OutboxRow, after?: number) {
  const hdrs = headers()
  hdrs.set('Nats-Msg-Id', `${service}-${row.id}-${row.seq}`)
  // Not its id: nats-server 2.15.1 stops a stream of several nodes for good at a message whose Nats-Expected-Last-Msg-Id is wrong.
  if (after !== undefined) hdrs.set('Nats-Expected-Last-Sequence', String(after))
  if (row.traceparent !== null) hdrs.set('traceparent', row.traceparent)
  const text = JSON.stringify({ id: `${service}-${row.id}`, seq: row.seq, at: row.created_at, payload: row.payload })
  return [row.subject, text, { headers: hdrs }] as const
}

const unacknowledged = (cause: unknown) => new Outage('nats', 'an event was not acknowledged', { cause })

/** How many events, the oldest first, the stream has, and why not all. */
interface Published {
  readonly stored: number
  readonly problem: unknown
}

/** Returns a function that publishes events in order, until it is told to stop. It never rejects. */
function publisherOf({
  bus,
  service,
  log,
}: Relaying): (rows: readonly OutboxRow[], signal: AbortSignal) => Promise<Published> {
  const js = jetstream(bus.connection, { apiPrefix: bus.streamsApi, timeout: 5_000 })
  let refused = false
  const publish = async (row: OutboxRow) => {
    try {
      return await js.publish(...messageOf(service, row))
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code !== DUPLICATE_IN_PROCESS && !refused) {
        refused = true
        countAlarm('stream_full', row.subject)
        const facts = { alarm: 'stream_full', err: error, subject: row.subject }
        log.error(facts, 'the stream rejects events; they wait in the outbox')
      }
      throw unacknowledged(error)
    }
  }
  /**
   * Publishes events that follow the one at a place of the stream, each with the place of the one before it. Returns how many, the
   * oldest first, have the place that they were sent for. The acknowledgement of the last alone would not show it: a foreign message
   * between them takes a place, and the events after it fit again.
   */
  const publishAtOnce = async (rows: readonly OutboxRow[], after: number): Promise<number> => {
    const sent = await Promise.allSettled(rows.map((row, at) => js.publish(...messageOf(service, row, after + at))))
    const missed = sent.findIndex((one, at) => one.status === 'rejected' || one.value.seq !== after + at + 1)
    const failure = sent[missed]
    if (failure?.status === 'rejected' && !(failure.reason instanceof JetStreamApiError))
      throw unacknowledged(failure.reason)
    return missed === -1 ? rows.length : missed
  }
  return async (rows, signal) => {
    let stored = 0
    let atOnce = true
    try {
      for (let row = rows[stored]; row !== undefined && !signal.aborted; row = rows[stored]) {
        const { duplicate, seq } = await publish(row)
        stored += 1
        // An event that the stream had already does not tell the newest place. After a rejection they go one by one.
        if (duplicate || !atOnce) continue
        stored += await publishAtOnce(rows.slice(stored), seq)
        atOnce = false
      }
      refused = false
      return { stored, problem: null }
    } catch (problem) {
      return { stored, problem }
    }
  }
}

/**
 * Publishes the outbox of a schema in order until it is empty. Only the leader of the schema runs it. A row leaves
 * the outbox after the stream has acknowledged it. Its id with its number lets the stream drop duplicates, but not an event that
 * got another number to be published again. No event overtakes an earlier one. Events that a full stream rejects wait.
 */
export function relayOutbox({ pool, ...relaying }: Relaying & { readonly pool: Pool }): Job {
  const publishAll = publisherOf(relaying)
  return async (signal) => {
    let done = 0
    let marked: Promise<unknown> = Promise.resolve()
    let rows = await takeOutbox(pool, BATCH)
    try {
      for (let last = rows.at(-1); last !== undefined && !signal.aborted; last = rows.at(-1)) {
        // Meanwhile Postgres notes the former events as sent and takes the next ones.
        const taken = takeOutbox(pool, BATCH, last.seq)
        const [{ stored, problem }] = await Promise.all([publishAll(rows, signal), Promise.allSettled([taken, marked])])
        await marked
        marked = markSent(pool, rows.slice(0, stored))
        // Awaited below; until then its failure is no unhandled rejection.
        marked.catch(() => {})
        done += stored
        if (problem !== null) throw problem
        if (stored < rows.length) break
        rows = await taken
        // What was written while these were published was not there to be taken.
        if (rows.length === 0) rows = await takeOutbox(pool, BATCH, last.seq)
      }
    } finally {
      await marked
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
