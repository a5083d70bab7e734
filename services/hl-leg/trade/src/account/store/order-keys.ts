import { sql, type Db } from '@svc/postgres'
import type { DerivedKey } from '@svc/venue/next-key'
import { derivedKeyRow } from '@svc/venue/store/derived-keys'

/** Returns the key of the greatest epoch of a link; null before the first. */
export function newestKey(db: Db, linkId: string): Promise<DerivedKey | null> {
  return db.maybeOne(sql.type(derivedKeyRow)`
    SELECT epoch, agent_address, seed_fingerprint, used_at FROM order_key
    WHERE link_id = ${linkId} ORDER BY epoch DESC LIMIT 1`)
}

/** Stores a derived key; a key that is stored already stays as it is. */
export async function insertKey(db: Db, linkId: string, key: DerivedKey, now: Date): Promise<void> {
  await db.query(sql.unsafe`
    INSERT INTO order_key (link_id, epoch, agent_address, seed_fingerprint, derived_at, used_at)
    VALUES (${linkId}, ${key.epoch}, ${key.agent.toLowerCase()}, ${key.fingerprint}, ${now.toISOString()},
      ${key.isUsed ? now.toISOString() : null})
    ON CONFLICT DO NOTHING`)
}

/** Notes that the venue has seen the address of a key. */
export async function noteUsed(db: Db, linkId: string, epoch: number, now: Date): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE order_key SET used_at = coalesce(used_at, ${now.toISOString()})
    WHERE link_id = ${linkId} AND epoch = ${epoch}`)
}
