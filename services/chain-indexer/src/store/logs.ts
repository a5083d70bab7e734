import { vaultBooks, type VaultBooks } from '@svc/contracts/chain-indexer-facts'
import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** A log as it is stored; `args` of VaultCreated are what the factory said of the vault. */
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
  readonly books: VaultBooks | null
}

const takenRow = z.object({
  block_number: z.number(),
  block_hash: z.string(),
  block_time: z.string(),
  tx_hash: z.string(),
  log_ordinal: z.number(),
  vault: z.string(),
  name: z.string(),
  args: z.record(z.string(), z.unknown()),
  revision: z.number(),
})
export type TakenLog = z.output<typeof takenRow>

const revisionRow = z.object({ block_hash: z.string(), log_index: z.number(), revision: z.number() })

/**
 * Stores logs as canonical and answers the revision of each by `<block hash>:<log index>`. A log of a block that was
 * replaced and came back keeps its row. The stream's cursor must be locked.
 */
export async function insertLogs(
  tx: Tx,
  chainId: number,
  logs: readonly NewLog[],
): Promise<ReadonlyMap<string, number>> {
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
    JSON.stringify(log.args),
    log.books === null ? null : JSON.stringify(log.books),
  ])
  const types = [
    'int8',
    'text',
    'timestamptz',
    'text',
    'int4',
    'int4',
    'int4',
    'text',
    'text',
    'jsonb',
    'jsonb',
  ] as const
  // The revision goes on from the fact's highest, in whatever block that was; the index log_revisions answers it.
  const stored = await tx.any(sql.type(revisionRow)`
    INSERT INTO log (chain_id, block_number, block_hash, block_time, tx_hash, tx_index, log_index, log_ordinal, vault, name,
      args, books, revision, canonical)
    SELECT ${chainId}, fresh.*, coalesce((
      SELECT max(known.revision) FROM log known
      WHERE known.chain_id = ${chainId} AND known.tx_hash = fresh.tx_hash AND known.log_ordinal = fresh.log_ordinal
    ), 0) + 1, true
    FROM ${sql.unnest(rows, [...types])} AS fresh (block_number, block_hash, block_time, tx_hash, tx_index, log_index,
      log_ordinal, vault, name, args, books)
    ON CONFLICT (chain_id, block_hash, log_index) DO UPDATE
      SET canonical = true, orphaned_at = NULL, revision = EXCLUDED.revision, books = EXCLUDED.books
      WHERE NOT log.canonical
    RETURNING block_hash, log_index, revision`)
  if (stored.length !== logs.length) throw new Error('a log that is stored already came a second time')
  return new Map(stored.map(({ block_hash, log_index, revision }) => [`${block_hash}:${log_index}`, revision]))
}

/** Takes back every canonical log above a block; newest first. */
export async function orphanLogs(tx: Tx, chainId: number, above: number, now: Date): Promise<readonly TakenLog[]> {
  return tx.any(sql.type(takenRow)`
    WITH taken AS (
      UPDATE log SET canonical = false, orphaned_at = ${now.toISOString()}, revision = revision + 1
      WHERE chain_id = ${chainId} AND canonical AND block_number > ${above}
      RETURNING *
    )
    SELECT block_number, block_hash, block_time, tx_hash, log_ordinal, vault, name, args, revision
    FROM taken ORDER BY block_number DESC, log_index DESC`)
}

const booksRow = z.object({ vault: z.string(), books: vaultBooks.nullable(), block_number: z.number() })

/** Books after the newest canonical log of each vault. */
export function newestBooks(
  db: Db,
  chainId: number,
  vaults: readonly string[],
): Promise<readonly z.output<typeof booksRow>[]> {
  return db.any(sql.type(booksRow)`
    SELECT asked.vault, newest.books, newest.block_number
    FROM unnest(${sql.array([...vaults], 'text')}) AS asked (vault)
    CROSS JOIN LATERAL (
      SELECT books, block_number FROM log
      WHERE chain_id = ${chainId} AND log.vault = asked.vault AND canonical
      ORDER BY block_number DESC, log_index DESC LIMIT 1
    ) AS newest`)
}

/** Books of a vault before a transaction of a block, from the newest canonical log before it; null when not known. */
export async function booksBefore(
  db: Db,
  chainId: number,
  vault: string,
  block: number,
  txIndex: number,
): Promise<VaultBooks | null> {
  const row = await db.maybeOne(sql.type(z.object({ books: vaultBooks.nullable() }))`
    SELECT books FROM log
    WHERE chain_id = ${chainId} AND vault = ${vault} AND canonical
      AND (block_number < ${block} OR (block_number = ${block} AND tx_index < ${txIndex}))
    ORDER BY block_number DESC, log_index DESC LIMIT 1`)
  return row?.books ?? null
}
