import { chainIndexer } from '@svc/contracts/chain-indexer'
import { sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const notified = chainIndexer.events.transactionConfirmed.payload.omit({ revision: true, canonical: true })
/** A confirmed transaction, as the event reports it. */
export type NotifiedTransaction = z.output<typeof notified>

const watched = table('watched_transaction', {
  tx_hash: z.string(),
  asked_at: z.string(),
  told_block_hash: z.string().nullable(),
  told: notified.nullable(),
  revision: z.number(),
})
/** A watched transaction with its last notification. */
export type WatchedTransaction = RowOf<typeof watched>

/** Watches a transaction. Watching it again restarts the search period. */
export async function watchTransaction(
  tx: Tx,
  chainId: number,
  wanted: { readonly txHash: string; readonly askedBy: string; readonly at: Date },
): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO watched_transaction (chain_id, tx_hash, asked_by, asked_at)
    VALUES (${chainId}, ${wanted.txHash}, ${wanted.askedBy}, ${wanted.at.toISOString()})
    ON CONFLICT (chain_id, tx_hash) DO UPDATE SET asked_at = EXCLUDED.asked_at`)
}

/** Returns transactions that were requested after a time; the one whose last check is oldest comes first. */
export function transactionsToCheck(
  db: Db,
  chainId: number,
  after: Date,
  max: number,
): Promise<readonly WatchedTransaction[]> {
  return db.any(sql.type(watched.row)`
    SELECT ${watched.list} FROM watched_transaction
    WHERE chain_id = ${chainId} AND asked_at > ${after.toISOString()}
    ORDER BY checked_at NULLS FIRST, tx_hash LIMIT ${max}`)
}

const revisionRow = z.object({ revision: z.number() })

/**
 * Stores the block of a transaction, null for none. Returns the new revision; null if nothing changed or if another process
 * has stored it meanwhile.
 */
export async function putNotified(
  tx: Tx,
  chainId: number,
  before: WatchedTransaction,
  now: NotifiedTransaction | null,
  at: Date,
): Promise<number | null> {
  const changed = (now?.block_hash ?? null) !== before.told_block_hash
  const stored = await tx.maybeOne(sql.type(revisionRow)`
    UPDATE watched_transaction SET checked_at = ${at.toISOString()}, told_block_hash = ${now?.block_hash ?? null},
      told = coalesce(${now === null ? null : JSON.stringify(now)}::jsonb, told),
      revision = revision + ${changed ? 1 : 0}
    WHERE chain_id = ${chainId} AND tx_hash = ${before.tx_hash} AND revision = ${before.revision}
    RETURNING revision`)
  return changed ? (stored?.revision ?? null) : null
}
