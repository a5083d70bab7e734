import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** Lets one transaction at a time change how many pairs of a venue are scanned, until it ends. */
export async function lockPlaces(tx: Tx, exchange: string): Promise<void> {
  await tx.query(
    sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended(${`market_data.scan_places ${exchange}`}, 0))`,
  )
}

/** Returns whether any account watches a pair. */
export async function isWatched(db: Db, tokenId: string): Promise<boolean> {
  return db.exists(sql.unsafe`SELECT FROM target WHERE token_id = ${tokenId} AND status = 'active'`)
}

const atRow = z.object({ at: z.string().nullable() })

/** Returns when the first scanned pair of a venue ends whose delisting is announced; null if there is none. */
export async function nextPlaceAt(db: Db, exchange: string, now: Date): Promise<string | null> {
  return db.oneFirst(sql.type(atRow)`
    SELECT min(effective_at) AS at FROM (
      SELECT DISTINCT ON (event.instance_id, flag) effective_at, raised, meaning
      FROM token JOIN venue_flag_event AS event USING (instance_id)
      WHERE exchange = ${exchange} AND EXISTS (SELECT FROM target WHERE target.token_id = token.token_id AND status = 'active')
      ORDER BY event.instance_id, flag, id DESC) AS newest
    WHERE raised AND meaning = 'delisting_announced' AND effective_at > ${now.toISOString()}`)
}
