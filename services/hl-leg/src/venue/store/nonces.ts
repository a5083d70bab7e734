import { sql, type Db, type Pool } from '@svc/postgres'
import { z } from 'zod'

type SqlFragment = ReturnType<typeof sql.fragment>
const nonceRow = z.object({ last_nonce: z.number() })

/**
 * Draws the next nonce of a signer: the time in milliseconds, or one above the last nonce if that is later. No two
 * draws of any process return the same one. A nonce that is drawn in a transaction that fails was never used.
 */
export function drawNonce(db: Db, signer: string, now: Date): Promise<number> {
  return draw(db, 'draw_nonce', sql.fragment`VALUES (${signer.toLowerCase()}, ${now.getTime()})`)
}

/**
 * Draws a nonce in a transaction of its own that does not wait for the disk. The bytes that carry the nonce must be stored
 * by a later transaction that does: its commit writes this one too, so that a nonce of stored bytes is never drawn again.
 */
export function drawNonceAhead(pool: Pool, signer: string, now: Date): Promise<number> {
  const off = sql.fragment`FROM set_config('synchronous_commit', 'off', true)`
  return draw(pool, 'draw_nonce_ahead', sql.fragment`SELECT ${signer.toLowerCase()}, ${now.getTime()} ${off}`)
}

async function draw(db: Db, name: string, row: SqlFragment): Promise<number> {
  const { last_nonce } = await db.one(sql.prepared(name, nonceRow)`
    INSERT INTO signer (address, last_nonce) ${row}
    ON CONFLICT (address) DO UPDATE SET last_nonce = greatest(signer.last_nonce + 1, excluded.last_nonce)
    RETURNING last_nonce`)
  return last_nonce
}
