import { z } from 'zod'
import { sql, type Db, type Pool } from './pool.ts'

const letterRow = z.object({
  event_id: z.string(),
  subject: z.string(),
  tries: z.number(),
  state: z.enum(['trying', 'dead', 'replay']),
  error: z.string(),
  failure: z.unknown(),
  failed_at: z.string(),
  retry_at: z.string().nullable(),
})
/**
 * An event whose reaction failed. `error` is the name of the last error, `failure` what else is known of it (null for a letter
 * of an earlier release), `retry_at` when the service tries it again by itself.
 */
export type DeadLetter = z.output<typeof letterRow>

const triesRow = letterRow.pick({ tries: true, state: true })

/** How often an event is tried, and when again after that. */
export interface Patience {
  /** Attempts after which the event is given up. */
  readonly triesMax: number
  /** Pauses, in milliseconds, after the attempt that gave it up and later ones; the last one repeats. None: a person decides. */
  readonly retryAfterMs: readonly number[]
}

/**
 * Counts a failed attempt to process an event. Returns the attempts and whether the event is given up: it is then an open
 * letter, tried again at the times of `retryAfterMs` from `now`, until it succeeds or a person drops it.
 */
export async function noteFailure(
  pool: Pool,
  failed: {
    readonly id: string
    readonly subject: string
    readonly envelope: unknown
    readonly error: string
    readonly failure: object
  },
  { triesMax, retryAfterMs }: Patience,
  now: Date,
): Promise<{ readonly tries: number; readonly dead: boolean }> {
  // JetStream's own count cannot be used: it includes deliveries during outages.
  const dead = (tries: ReturnType<typeof sql.fragment>) => sql.fragment`${tries} >= ${triesMax}::int`
  const pauses = sql.array([...retryAfterMs], 'int8')
  const retryAt = (tries: ReturnType<typeof sql.fragment>) => sql.fragment`
    ${now.toISOString()}::timestamptz + interval '1 millisecond'
      * (${pauses})[least(${tries} - ${triesMax}::int + 1, ${retryAfterMs.length}::int)]`
  const first = sql.fragment`1`
  const next = sql.fragment`d.tries + 1`
  const { tries, state } = await pool.one(sql.type(triesRow)`
    INSERT INTO dead_letter AS d (event_id, subject, envelope, error, failure, state, dead_at, retry_at)
    SELECT ${failed.id}, ${failed.subject}, ${JSON.stringify(failed.envelope)}::json, ${failed.error},
      ${JSON.stringify(failed.failure)}::json, CASE WHEN ${dead(first)} THEN 'dead' ELSE 'trying' END,
      CASE WHEN ${dead(first)} THEN now() END, CASE WHEN ${dead(first)} THEN ${retryAt(first)} END
    ON CONFLICT (event_id) DO UPDATE SET tries = ${next}, error = excluded.error, failure = excluded.failure, failed_at = now(),
      state = CASE WHEN ${dead(next)} THEN 'dead' ELSE 'trying' END,
      dead_at = CASE WHEN ${dead(next)} THEN coalesce(d.dead_at, now()) END,
      retry_at = CASE WHEN ${dead(next)} THEN ${retryAt(next)} END
    RETURNING tries, state`)
  return { tries, dead: state === 'dead' }
}

/** Returns events that were given up or wait for their replay, oldest first. */
export function listDeadLetters(db: Db, max: number): Promise<readonly DeadLetter[]> {
  return db.any(sql.type(letterRow)`
    SELECT event_id, subject, tries, state, error, failure, failed_at, retry_at FROM dead_letter
    WHERE state <> 'trying' ORDER BY failed_at, event_id LIMIT ${max}`)
}

/** Marks dead events for one more attempt: the named ones, or all if `ids` is null. Returns their number. */
export async function replayDeadLetters(db: Db, ids: readonly string[] | null): Promise<number> {
  const { rowCount } = await db.query(sql.unsafe`
    UPDATE dead_letter SET state = 'replay'
    WHERE state = 'dead' AND (${ids === null} OR event_id = ANY(${sql.array([...(ids ?? [])], 'text')}))`)
  return rowCount
}

/** Deletes dead events without processing them: the named ones, or all if `ids` is null. Returns their number. */
export async function dropDeadLetters(db: Db, ids: readonly string[] | null): Promise<number> {
  const { rowCount } = await db.query(sql.unsafe`
    DELETE FROM dead_letter
    WHERE state <> 'trying' AND (${ids === null} OR event_id = ANY(${sql.array([...(ids ?? [])], 'text')}))`)
  return rowCount
}

const subjectEnvelopeRow = z.object({ subject: z.string(), envelope: z.unknown() })

/** Returns events of these subjects that are due: marked for replay by a person, or tried again by the service at `now`; oldest first. */
export function lettersToReplay(
  db: Db,
  subjects: readonly string[],
  now: Date,
  max: number,
): Promise<readonly { readonly subject: string; readonly envelope: unknown }[]> {
  return db.any(sql.type(subjectEnvelopeRow)`
    SELECT subject, envelope FROM dead_letter
    WHERE state <> 'trying' AND (state = 'replay' OR retry_at <= ${now.toISOString()})
      AND subject = ANY(${sql.array([...subjects], 'text')})
    ORDER BY failed_at, event_id LIMIT ${max}`)
}

const openRow = z.object({ subject: z.string(), count: z.number(), age: z.number() })

/** Returns for each subject with open letters how many there are, and for how many seconds the oldest has been open. */
export function openLetters(db: Db): Promise<readonly z.output<typeof openRow>[]> {
  return db.any(sql.type(openRow)`
    SELECT subject, count(*) AS count,
      greatest(extract(epoch FROM now() - min(coalesce(dead_at, failed_at))), 0)::float8 AS age
    FROM dead_letter WHERE state <> 'trying' GROUP BY subject`)
}
