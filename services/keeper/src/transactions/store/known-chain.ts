import { sql, type Tx } from '@svc/postgres'
import { z } from 'zod'

/**
 * Notes which chain an id stands for. When it stood for another one before, everything sent or decided there ends as
 * lost and loses its nonce, so that no count of nonces and no look at replaced blocks finds it; answers how many had not
 * ended, otherwise null.
 */
export async function knowChain(
  tx: Tx,
  { chainId, firstBlock }: { readonly chainId: number; readonly firstBlock: string },
  now: Date,
): Promise<number | null> {
  await tx.query(sql.unsafe`
    INSERT INTO known_chain (chain_id, first_block) VALUES (${chainId}, ${firstBlock}) ON CONFLICT DO NOTHING`)
  // Two that start at the same time wait for each other here, and the second finds nothing to do.
  const known = await tx.oneFirst(sql.type(z.object({ first_block: z.string() }))`
    SELECT first_block FROM known_chain WHERE chain_id = ${chainId} FOR UPDATE`)
  if (known === firstBlock) return null
  await tx.query(sql.unsafe`UPDATE known_chain SET first_block = ${firstBlock} WHERE chain_id = ${chainId}`)
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE sending SET ended_at = ${now.toISOString()}, outcome = 'lost', nonce = NULL
    WHERE chain_id = ${chainId} AND ended_at IS NULL`)
  await tx.query(sql.unsafe`UPDATE sending SET nonce = NULL WHERE chain_id = ${chainId} AND nonce IS NOT NULL`)
  return rowCount
}
