import { vaultBooks, vaultEventNames, type VaultBooks } from '@svc/contracts/chain-indexer/vaults'
import { sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const logName = z.enum(['VaultCreated', ...vaultEventNames])

/** A log to store; the `args` of VaultCreated are the members of `Created`. */
export interface NewLog {
  readonly block_number: number
  readonly block_hash: string
  readonly block_time: string
  readonly tx_hash: string
  readonly tx_index: number
  readonly log_index: number
  readonly log_ordinal: number
  readonly vault: string
  readonly name: string
  readonly args: unknown
  /** The books after the last log of a vault in each chunk, unless they contradict the chain; null for any other log. */
  readonly books: VaultBooks | null
  readonly revision: number
}

const taken = table('log', {
  block_number: z.number(),
  block_hash: z.string(),
  block_time: z.string(),
  tx_hash: z.string(),
  log_ordinal: z.number(),
  log_index: z.number(),
  vault: z.string(),
  name: z.string(),
  args: z.record(z.string(), z.unknown()),
  revision: z.number(),
})
/** A log that was taken back, with its new revision. */
export type TakenLog = RowOf<typeof taken>

const takenFactRow = z.object({ tx_hash: z.string(), log_ordinal: z.number(), revision: z.number() })

/** Returns the highest revisions with which facts of transactions were taken back. Uses the index log_taken_back. */
export function takenFacts(
  db: Db,
  chainId: number,
  txHashes: readonly string[],
): Promise<readonly z.output<typeof takenFactRow>[]> {
  return db.any(sql.type(takenFactRow)`
    SELECT tx_hash, log_ordinal, max(revision) AS revision FROM log
    WHERE chain_id = ${chainId} AND NOT canonical AND tx_hash = ANY(${sql.array([...txHashes], 'text')})
    GROUP BY tx_hash, log_ordinal`)
}

/** Stores logs as canonical. Rejects if one is already stored. The stream's cursor must be locked. */
export async function insertLogs(tx: Tx, chainId: number, logs: readonly NewLog[]): Promise<void> {
  const rows = logs.map((log) => [
    log.block_number,
    log.block_hash,
    log.block_time,
    log.tx_hash,
    log.tx_index,
    log.log_index,
    log.log_ordinal,
    log.vault,
    log.name,
    log.books === null ? null : JSON.stringify(log.books),
    log.revision,
  ])
  // Columns as arrays, and the arguments as lines: extracting them from one document takes three times as long.
  const args = logs.map((log) => JSON.stringify(log.args)).join('\n')
  await tx.query(sql.unsafe`
    INSERT INTO log (chain_id, block_number, block_hash, block_time, tx_hash, tx_index, log_index, log_ordinal, vault, name,
      books, revision, args, canonical)
    SELECT ${chainId}, block_number, block_hash, block_time, tx_hash, tx_index, log_index, log_ordinal, vault, name,
      books, revision, args::json, true
    FROM ROWS FROM (
      ${sql.unnest(rows, ['int8', 'text', 'timestamptz', 'text', 'int4', 'int4', 'int4', 'text', 'text', 'json', 'int4'])},
      string_to_table(${args}, E'\\n')
    ) AS fresh (block_number, block_hash, block_time, tx_hash, tx_index, log_index, log_ordinal, vault, name, books, revision, args)`)
}

/** Takes back every canonical log above a block and returns them, newest first. */
export async function orphanLogs(tx: Tx, chainId: number, above: number, now: Date): Promise<readonly TakenLog[]> {
  return tx.any(sql.type(taken.row)`
    WITH taken AS (
      UPDATE log SET canonical = false, orphaned_at = ${now.toISOString()}, revision = revision + 1
      WHERE chain_id = ${chainId} AND canonical AND block_number > ${above}
      RETURNING *
    )
    SELECT ${taken.list} FROM taken ORDER BY block_number DESC, log_index DESC`)
}

const foldRow = z.object({
  vault: z.string(),
  name: logName,
  args: z.record(z.string(), z.unknown()),
  books: vaultBooks.nullable(),
  block_number: z.number(),
})
/** A log from which books are folded. */
export type LogToFold = z.output<typeof foldRow>

/**
 * Returns the logs from which the books of each vault before a transaction follow: its canonical logs from the newest log
 * with books on. Ordered by vault, then by the order of the chain. Both steps use the index log_by_vault.
 */
export function logsToFold(
  db: Db,
  chainId: number,
  vaults: readonly string[],
  before: { readonly block: number; readonly txIndex: number },
): Promise<readonly LogToFold[]> {
  const place = (table: 'log' | 'with_books') => {
    const [block, index] = [sql.identifier([table, 'block_number']), sql.identifier([table, 'tx_index'])]
    return sql.fragment`${sql.identifier([table, 'chain_id'])} = ${chainId} AND ${sql.identifier([table, 'vault'])} = asked.vault
      AND ${sql.identifier([table, 'canonical'])} AND ${block} <= ${before.block} AND (${block}, ${index}) < (${before.block}, ${before.txIndex})`
  }
  return db.any(sql.type(foldRow)`
    SELECT asked.vault, log.name, log.args, log.books, log.block_number
    FROM unnest(${sql.array([...vaults], 'text')}) AS asked (vault)
    LEFT JOIN LATERAL (
      SELECT block_number, log_index FROM log AS with_books WHERE ${place('with_books')} AND with_books.books IS NOT NULL
      ORDER BY block_number DESC, log_index DESC LIMIT 1
    ) AS start ON true
    CROSS JOIN LATERAL (
      SELECT name, args, books, block_number, log_index FROM log WHERE ${place('log')}
        AND (log.block_number, log.log_index) >= (coalesce(start.block_number, 0), coalesce(start.log_index, 0))
    ) AS log
    ORDER BY asked.vault, log.block_number, log.log_index`)
}
