import { sql, type Db } from '@svc/postgres'
import type { Address } from 'viem'
import { z } from 'zod'
import type { DerivedKey } from '#venue/next-key.ts'

const keyRow = z
  .object({
    epoch: z.number(),
    agent_address: z.string(),
    seed_fingerprint: z.string(),
    used_at: z.string().nullable(),
  })
  .transform((row) => ({
    epoch: row.epoch,
    agent: row.agent_address as Address,
    fingerprint: row.seed_fingerprint,
    isUsed: row.used_at !== null,
  }))
/** A key that was derived for a leg. */
export type LegKey = DerivedKey

const columns = sql.fragment`epoch, agent_address, seed_fingerprint, used_at`

/** Returns the newest key of a leg; null before the first. */
export function newestKey(db: Db, publicId: string): Promise<LegKey | null> {
  return db.maybeOne(sql.type(keyRow)`
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
