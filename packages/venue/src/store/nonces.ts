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

const addressNonceRow = nonceRow.extend({ address: z.string() })

/**
 * Draws a nonce for each of some actions, in a transaction of its own that does not wait for the disk, as `drawNonceAhead` does.
 * Returns them in the order of the actions, whose signers may repeat.
 */
export async function drawNoncesAhead(pool: Pool, signers: readonly string[], now: Date): Promise<readonly number[]> {
  const counts = [...Map.groupBy(signers, (signer) => signer.toLowerCase())].map(([address, { length }]) => [
    address,
    length,
  ])
  if (counts.length === 0) return []
  // Of each signer the numbers up to its new last nonce. Ordered, so that two writers lock the rows in the same order.
  const rows = await pool.any(sql.type(addressNonceRow)`
    INSERT INTO signer (address, last_nonce)
    SELECT address, ${now.getTime()}::bigint + count - 1
    FROM ${sql.unnest(counts, ['text', 'int8'])} AS one (address, count), set_config('synchronous_commit', 'off', true)
    ORDER BY address
    ON CONFLICT (address) DO UPDATE
    SET last_nonce = greatest(signer.last_nonce + excluded.last_nonce - ${now.getTime()}::bigint + 1, excluded.last_nonce)
    RETURNING address, last_nonce`)
  const next = new Map(rows.map(({ address, last_nonce }) => [address, last_nonce]))
  return signers.map((signer) => {
    const address = signer.toLowerCase()
    const nonce = next.get(address)
    if (nonce === undefined) throw new Error('a signer has no nonce')
    next.set(address, nonce - 1)
    return nonce
  })
}

async function draw(db: Db, name: string, row: SqlFragment): Promise<number> {
  const { last_nonce } = await db.one(sql.prepared(name, nonceRow)`
    INSERT INTO signer (address, last_nonce) ${row}
    ON CONFLICT (address) DO UPDATE SET last_nonce = greatest(signer.last_nonce + 1, excluded.last_nonce)
    RETURNING last_nonce`)
  return last_nonce
}
