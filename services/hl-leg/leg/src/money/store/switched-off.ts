import { instant, sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const sinceOf = z.object({ since: instant })
const idOf = z.object({ public_id: z.string() })

/** Returns when the present time without the leg began, beginning one now if none has; locks it. */
export async function beginOff(tx: Tx, now: Date): Promise<Date> {
  await tx.query(sql.unsafe`INSERT INTO switched_off (since) VALUES (${now.toISOString()}) ON CONFLICT DO NOTHING`)
  return tx.oneFirst(sql.type(sinceOf)`SELECT since FROM switched_off WHERE ended_at IS NULL FOR UPDATE`)
}

/** Ends the present time without the leg and returns when it began; null if the leg was on. */
export function endOff(tx: Tx, now: Date): Promise<Date | null> {
  return tx.maybeOneFirst(sql.type(sinceOf)`
    UPDATE switched_off SET ended_at = ${now.toISOString()} WHERE ended_at IS NULL RETURNING since`)
}

/** Notes that the owners of mandates are told; returns the mandates that were not noted before. */
export function noteTold(tx: Tx, since: Date, publicIds: readonly string[]): Promise<readonly string[]> {
  return tx.anyFirst(sql.type(idOf)`
    INSERT INTO switched_off_told (since, public_id)
    SELECT ${since.toISOString()}, id FROM unnest(${sql.array([...publicIds], 'text')}) AS id ORDER BY id
    ON CONFLICT DO NOTHING RETURNING public_id`)
}

/** Returns the mandates whose owners were told of a time without the leg. */
export function toldIn(db: Db, since: Date): Promise<readonly string[]> {
  return db.anyFirst(sql.type(idOf)`
    SELECT public_id FROM switched_off_told WHERE since = ${since.toISOString()} ORDER BY public_id`)
}
