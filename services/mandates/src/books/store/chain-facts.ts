import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import { factChange, type ChainFact, type FactChange } from '../rules/chain-fact.ts'

const before = z.object({ revision: z.number(), canonical: z.boolean(), same: z.boolean() })

/**
 * Stores a fact unless a revision at least as high is stored. Receipts have no revision: of those the latest counts. The
 * vault must be locked.
 */
export async function storeFact(tx: Tx, fact: ChainFact): Promise<FactChange> {
  const known = await tx.maybeOne(sql.type(before)`
    SELECT revision, canonical, block_hash = ${fact.blockHash} AND name = ${fact.name}
      AND args = ${JSON.stringify(fact.args)}::jsonb AS same
    FROM chain_fact WHERE chain_id = ${fact.chainId} AND tx_hash = ${fact.txHash} AND log_ordinal = ${fact.logOrdinal}`)
  const change = factChange(known, fact)
  if (change === 'known') return change
  await tx.query(sql.unsafe`
    INSERT INTO chain_fact (chain_id, tx_hash, log_ordinal, log_index, vault, name, args, block_number, block_hash, block_time,
      revision, canonical)
    VALUES (${fact.chainId}, ${fact.txHash}, ${fact.logOrdinal}, ${fact.logIndex}, ${fact.vault}, ${fact.name},
      ${JSON.stringify(fact.args)}::jsonb, ${fact.blockNumber}, ${fact.blockHash}, ${fact.blockTime}, ${fact.revision},
      ${fact.canonical})
    ON CONFLICT (chain_id, tx_hash, log_ordinal) DO UPDATE SET log_index = excluded.log_index, vault = excluded.vault,
      name = excluded.name, args = excluded.args, block_number = excluded.block_number, block_hash = excluded.block_hash,
      block_time = excluded.block_time, revision = excluded.revision, canonical = excluded.canonical`)
  return change
}

const factRow = z
  .object({
    chain_id: z.number(),
    tx_hash: z.string(),
    log_ordinal: z.number(),
    log_index: z.number(),
    vault: z.string(),
    name: z.string(),
    args: z.record(z.string(), z.union([z.string(), z.boolean()])),
    block_number: z.number(),
    block_hash: z.string(),
    block_time: z.string(),
    revision: z.number(),
    canonical: z.boolean(),
  })
  .transform((row): ChainFact => ({
    chainId: row.chain_id,
    txHash: row.tx_hash,
    logOrdinal: row.log_ordinal,
    logIndex: row.log_index,
    vault: row.vault,
    name: row.name,
    args: row.args,
    blockNumber: row.block_number,
    blockHash: row.block_hash,
    blockTime: row.block_time,
    revision: row.revision,
    canonical: row.canonical,
  }))

const columns = sql.fragment`f.chain_id, f.tx_hash, f.log_ordinal, f.log_index, f.vault, f.name, f.args, f.block_number, f.block_hash,
  f.block_time, f.revision, f.canonical`

/** Returns all standing facts of a vault, its creation included, in chain order. */
export function factsOfVault(db: Db, chainId: number, vault: string): Promise<readonly ChainFact[]> {
  return db.any(sql.type(factRow)`
    SELECT ${columns} FROM chain_fact f WHERE chain_id = ${chainId} AND vault = ${vault} AND canonical
    ORDER BY block_number, log_index`)
}

/** Returns the newest standing fact of a name; null without one. */
export function newestFact(db: Db, chainId: number, vault: string, name: string): Promise<ChainFact | null> {
  return db.maybeOne(sql.type(factRow)`
    SELECT ${columns} FROM chain_fact f WHERE chain_id = ${chainId} AND vault = ${vault} AND name = ${name} AND canonical
    ORDER BY block_number DESC, log_index DESC LIMIT 1`)
}

/** Returns unconfirmed facts of receipts in blocks that chain-indexer has already passed, oldest block first. */
export function unconfirmedReceipts(db: Db, chainId: number, beforeBlock: number, max: number) {
  return db.any(sql.type(factRow)`
    SELECT ${columns} FROM chain_fact f
    WHERE chain_id = ${chainId} AND revision = 0 AND canonical AND block_number < ${beforeBlock}
    ORDER BY block_number LIMIT ${max}`)
}

/** Returns executions that arrived before their vault was attached, for vaults attached since a time, in chain order. */
export function unjudgedFacts(db: Db, attachedSince: Date, max: number): Promise<readonly ChainFact[]> {
  return db.any(sql.type(factRow)`
    SELECT ${columns}
    FROM vault v JOIN chain_fact f ON f.chain_id = v.chain_id AND f.vault = v.address AND f.name = 'Executed' AND f.canonical
    WHERE v.attached_at > ${attachedSince.toISOString()} AND f.revision > 0 AND NOT EXISTS (
      SELECT 1 FROM execution e
      WHERE e.chain_id = f.chain_id AND e.tx_hash = f.tx_hash AND e.log_ordinal = f.log_ordinal)
    ORDER BY f.block_number, f.log_index LIMIT ${max}`)
}
