import { sql, type Tx } from '@svc/postgres'
import { z } from 'zod'
import { transactionRows } from './transactions.ts'

const firstBlockRow = z.object({ first_block: z.string() })

/**
 * Stores which chain an id stands for. If it stood for another chain before, ends every open transaction there as lost and
 * removes all nonces, so that neither the next nonce nor replaced blocks depend on them. Returns the number of
 * transactions that were open; null if the chain is the same.
 */
export async function knowChain(
  tx: Tx,
  { chainId, firstBlock }: { readonly chainId: number; readonly firstBlock: string },
  now: Date,
): Promise<number | null> {
  await tx.query(sql.unsafe`
    INSERT INTO known_chain (chain_id, first_block) VALUES (${chainId}, ${firstBlock}) ON CONFLICT DO NOTHING`)
  // Two processes that start at the same time wait for each other here; the second finds nothing to do.
  const known = await tx.oneFirst(sql.type(firstBlockRow)`
    SELECT first_block FROM known_chain WHERE chain_id = ${chainId} FOR UPDATE`)
  if (known === firstBlock) return null
  await tx.query(sql.unsafe`UPDATE known_chain SET first_block = ${firstBlock} WHERE chain_id = ${chainId}`)
  const set = sql.fragment`ended_at = ${now.toISOString()}, outcome = 'lost', nonce = NULL`
  const where = sql.fragment`chain_id = ${chainId} AND ended_at IS NULL`
  const lost = await transactionRows.lose(tx, { set, where }, { first_block: firstBlock }, now)
  await tx.query(sql.unsafe`UPDATE transaction SET nonce = NULL WHERE chain_id = ${chainId} AND nonce IS NOT NULL`)
  return lost.length
}
