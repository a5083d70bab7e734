import { sql, type Db } from '@svc/postgres'
import type { DerivedKey } from '@svc/venue/next-key'
import { derivedKeyRow } from '@svc/venue/store/derived-keys'

/** A key that was derived for a leg. */
export type LegKey = DerivedKey

const columns = sql.fragment`epoch, agent_address, seed_fingerprint, used_at`

/** Returns the newest key of a leg; null before the first. */
export function newestKey(db: Db, publicId: string): Promise<LegKey | null> {
  return db.maybeOne(sql.type(derivedKeyRow)`
    SELECT ${columns} FROM leg_key WHERE public_id = ${publicId} ORDER BY epoch DESC LIMIT 1`)
}

/** Stores a derived key; a key that is stored already stays as it is. */
export async function insertKey(db: Db, publicId: string, key: LegKey, now: Date): Promise<void> {
  await db.query(sql.unsafe`
    INSERT INTO leg_key (public_id, epoch, agent_address, seed_fingerprint, derived_at, used_at)
    VALUES (${publicId}, ${key.epoch}, ${key.agent.toLowerCase()}, ${key.fingerprint}, ${now.toISOString()},
      ${key.isUsed ? now.toISOString() : null})
    ON CONFLICT DO NOTHING`)
}

/** Notes that the venue has seen the address of a key. */
export async function noteUsed(db: Db, publicId: string, epoch: number, now: Date): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE leg_key SET used_at = coalesce(used_at, ${now.toISOString()})
    WHERE public_id = ${publicId} AND epoch = ${epoch}`)
}
