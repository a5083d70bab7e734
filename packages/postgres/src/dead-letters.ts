import { z } from 'zod'
import { sql, type Db, type Pool } from './pool.ts'

const letterRow = z.object({
  event_id: z.string(),
  subject: z.string(),
  tries: z.number(),
  state: z.enum(['trying', 'dead', 'replay']),
  error: z.string(),
  failed_at: z.string(),
})
/** An event whose reaction failed. */
export type DeadLetter = z.output<typeof letterRow>

const triesRow = letterRow.pick({ tries: true, state: true })

/**
 * Counts a failed attempt to process an event. Returns the attempts and whether the event is given up, which happens
 * after `triesMax`.
 */
export async function noteFailure(
  pool: Pool,
  failed: { readonly id: string; readonly subject: string; readonly envelope: unknown; readonly error: string },
  triesMax: number,
): Promise<{ readonly tries: number; readonly dead: boolean }> {
  // JetStream's own count cannot be used: it includes deliveries during outages.
  const { tries, state } = await pool.one(sql.type(triesRow)`
    INSERT INTO dead_letter AS d (event_id, subject, envelope, error, state)
    VALUES (${failed.id}, ${failed.subject}, ${JSON.stringify(failed.envelope)}, ${failed.error},
      CASE WHEN ${triesMax}::int <= 1 THEN 'dead' ELSE 'trying' END)
    ON CONFLICT (event_id) DO UPDATE SET tries = d.tries + 1, error = excluded.error, failed_at = now(),
      state = CASE WHEN d.tries + 1 >= ${triesMax}::int THEN 'dead' ELSE 'trying' END
    RETURNING tries, state`)
  return { tries, dead: state === 'dead' }
}

/** Returns events that were given up or wait for their replay, oldest first. */
export function listDeadLetters(db: Db, max: number): Promise<readonly DeadLetter[]> {
  return db.any(sql.type(letterRow)`
    SELECT event_id, subject, tries, state, error, failed_at FROM dead_letter
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

/** Returns events that are marked for replay, oldest first. */
export function lettersToReplay(
  db: Db,
  max: number,
): Promise<readonly { readonly subject: string; readonly envelope: unknown }[]> {
  return db.any(sql.type(subjectEnvelopeRow)`
    SELECT subject, envelope FROM dead_letter WHERE state = 'replay' ORDER BY failed_at, event_id LIMIT ${max}`)
}
