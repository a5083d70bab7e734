import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const nonceRow = z.object({ last_nonce: z.number() })

/**
 * Draws the next nonce of a signer: the time in milliseconds, or one above the last nonce if that is later. No two
 * draws of any process return the same one. A nonce that is drawn in a transaction that fails was never used.
 */
export async function drawNonce(db: Db, signer: string, now: Date): Promise<number> {
  const { last_nonce } = await db.one(sql.type(nonceRow)`
    INSERT INTO signer (address, last_nonce) VALUES (${signer.toLowerCase()}, ${now.getTime()})
    ON CONFLICT (address) DO UPDATE SET last_nonce = greatest(signer.last_nonce + 1, excluded.last_nonce)
    RETURNING last_nonce`)
  return last_nonce
}
