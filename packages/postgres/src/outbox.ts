import { trace } from '@opentelemetry/api'
import type { Event, EventDeclaration } from '@svc/contract'
import { z } from 'zod'
import { inBatches } from './in-batches.ts'
import { traceparentOf } from './trace.ts'
import { sql, type Pool, type Tx } from './pool.ts'

const noColumns = z.object({})

/**
 * Records an event in the transaction that makes it true. The relay publishes the event after the commit, at least
 * once, in the order of a sequence without gaps.
 */
export async function emit<D extends EventDeclaration>(
  tx: Tx,
  event: Event<D>,
  payload: z.input<D['payload']>,
): Promise<void> {
  await tx.query(sql.prepared('outbox_emit', noColumns)`${emitIf(sql.fragment`true`, event, payload)}`)
}

/**
 * Returns the statement that records an event if a condition holds. It may be part of the statement that makes the event true,
 * which then needs no transaction around both.
 */
export function emitIf<D extends EventDeclaration>(
  condition: ReturnType<typeof sql.fragment>,
  event: Event<D>,
  payload: z.input<D['payload']>,
) {
  const body = published({ event, payload } as Emission)
  return sql.fragment`
    INSERT INTO outbox (subject, payload, traceparent)
    SELECT ${event.subject}, ${body}::json, ${traceparentOf(trace.getActiveSpan()) ?? null}::text WHERE ${condition}`
}

/** An event that `emitAll` records. */
export interface Emission<D extends EventDeclaration = EventDeclaration> {
  readonly event: Event<D>
  readonly payload: z.input<D['payload']>
}

/** Records events in the transaction that makes them true; they are published in the given order. */
export async function emitAll(tx: Tx, emissions: readonly Emission[]): Promise<void> {
  const traceparent = traceparentOf(trace.getActiveSpan()) ?? null
  await inBatches(emissions, async (batch) => {
    const subjects = batch.map(({ event }) => event.subject).join('\n')
    // One payload a line, because JSON has no raw line break: less to escape and parse than an array or one document.
    const payloads = batch.map(published).join('\n')
    await tx.query(sql.unsafe`
      INSERT INTO outbox (subject, payload, traceparent)
      SELECT subject, payload::json, ${traceparent}::text
      FROM ROWS FROM (
        string_to_table(${subjects}, E'\\n'), string_to_table(${payloads}, E'\\n')
      ) WITH ORDINALITY AS emitted (subject, payload, place) ORDER BY place`)
  })
}

/** NUL as JSON writes it, after an even number of backslashes. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/

/** The default maximum of a NATS message is one mebibyte; the rest is for the envelope and the headers. */
const EVENT_BYTES_MAX = 1_000_000

/**
 * Returns the text of an event for publication. Throws for a text with NUL, which no consumer could store, and for a
 * text larger than a message, which would block the outbox forever.
 */
function published({ event, payload }: Emission): string {
  const text = JSON.stringify(event.payload.parse(payload))
  if (text.includes('\\u0000') && NUL.test(text)) throw new Error(`${event.subject} contains a NUL character`)
  const bytes = Buffer.byteLength(text)
  if (bytes > EVENT_BYTES_MAX)
    throw new Error(
      `${event.subject} has ${bytes} bytes; at most ${EVENT_BYTES_MAX} can be sent: publish a reference to large data`,
    )
  return text
}

/** An event that is not yet in the stream. */
export interface OutboxRow {
  readonly id: number
  readonly seq: number
  readonly subject: string
  readonly payload: unknown
  /** Traceparent of the sampled trace in which the event occurred. */
  readonly traceparent: string | null
  readonly created_at: string
}

const outboxRow = z.object({
  id: z.number(),
  seq: z.number(),
  subject: z.string(),
  payload: z.unknown(),
  traceparent: z.string().nullable(),
  created_at: z.string(),
})

const idRow = z.object({ id: z.number() })

const seqRow = z.object({ seq: z.number() })

/**
 * Numbers waiting events without gaps and returns the oldest unpublished ones after a number, already numbered ones first. Two
 * relays at once, as when a leader is replaced, number each event once: the second one waits for the first.
 */
export async function takeOutbox(pool: Pool, max: number, after = 0): Promise<readonly OutboxRow[]> {
  const waiting = await pool.maybeOne(
    sql.prepared('outbox_waiting', idRow)`SELECT id FROM outbox WHERE seq IS NULL OR seq > ${after} LIMIT 1`,
  )
  if (waiting === null) return []
  return pool.transaction(async (tx) => {
    // A statement of its own: the next one sees what the relay before this one has committed. Ids may commit out of order, the
    // sequence may not.
    const head = await tx.oneFirst(sql.prepared('outbox_head', seqRow)`SELECT seq FROM outbox_head FOR UPDATE`)
    return tx.any(sql.prepared('outbox_take', outboxRow)`
      WITH fresh AS (
        SELECT id, row_number() OVER (ORDER BY id) AS n
        FROM (SELECT id FROM outbox WHERE seq IS NULL ORDER BY id LIMIT ${max}) AS oldest
      ),
      numbered AS (
        UPDATE outbox SET seq = ${head}::bigint + fresh.n FROM fresh WHERE outbox.id = fresh.id
        RETURNING outbox.id, seq, subject, payload, traceparent, created_at
      ),
      moved AS (
        UPDATE outbox_head SET seq = last.seq FROM (SELECT max(seq) AS seq FROM numbered) AS last WHERE last.seq IS NOT NULL
      )
      (SELECT id, seq, subject, payload, traceparent, created_at FROM outbox WHERE seq > ${after} ORDER BY seq LIMIT ${max})
      UNION ALL SELECT * FROM numbered
      ORDER BY seq LIMIT ${max}`)
  })
}

const LAG_ROWS_MAX = 100_000

const pendingOldestRow = z.object({ pending: z.number(), oldest: z.number() })

/** Returns how many events wait in the outbox, counted up to 100,000, and the age of the oldest in seconds; 0 if none waits. */
export async function outboxLag(pool: Pool): Promise<{ readonly pending: number; readonly oldest: number }> {
  return pool.one(sql.type(pendingOldestRow)`
    SELECT count(*) AS pending,
           greatest(coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0), 0)::float8 AS oldest
    FROM (SELECT created_at FROM outbox ORDER BY id LIMIT ${LAG_ROWS_MAX}) AS waiting`)
}

/**
 * Moves events that the stream has acknowledged to the sent ones, which are kept for some days. An event that got another
 * number meanwhile stays: it is to be published again.
 */
export async function markSent(pool: Pool, rows: readonly Pick<OutboxRow, 'id' | 'seq'>[]): Promise<void> {
  const ids = sql.array(
    rows.map(({ id }) => id),
    'int8',
  )
  const seqs = sql.array(
    rows.map(({ seq }) => seq),
    'int8',
  )
  await pool.query(sql.unsafe`
    WITH sent AS (
      DELETE FROM outbox USING unnest(${ids}, ${seqs}) AS acknowledged (id, seq)
      WHERE outbox.id = acknowledged.id AND outbox.seq = acknowledged.seq
      RETURNING outbox.id, outbox.seq, subject, payload, created_at
    )
    INSERT INTO sent_event (id, seq, subject, payload, created_at) SELECT id, seq, subject, payload, created_at FROM sent`)
}

const eventIdRow = z.object({ event_id: z.string() })

/**
 * Marks an event as processed by this service and deletes its earlier failures. Returns false if it was processed
 * before.
 */
export async function acceptEvent(tx: Tx, eventId: string): Promise<boolean> {
  const row = await tx.maybeOne(sql.prepared('inbox_accept', eventIdRow)`
    WITH ended AS (DELETE FROM dead_letter WHERE event_id = ${eventId})
    INSERT INTO inbox (event_id) VALUES (${eventId}) ON CONFLICT DO NOTHING RETURNING event_id`)
  return row !== null
}
