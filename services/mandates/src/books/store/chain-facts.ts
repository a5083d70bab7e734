import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** A log of a vault, or of the factory that made it, with its place in the chain. Addresses and hashes are lower case. */
export interface ChainFact {
  readonly chainId: number
  readonly txHash: string
  readonly logOrdinal: number
  /** Place among the logs of its block. */
  readonly logIndex: number
  readonly vault: string
  readonly name: string
  readonly args: Readonly<Record<string, string | boolean>>
  readonly blockNumber: number
  readonly blockHash: string
  readonly blockTime: string
  /** 0 for what a receipt said before the sweep came by. */
  readonly revision: number
  readonly canonical: boolean
}

/** How a fact changed what is known: `old` was known as it is or better. */
export type FactChange = 'old' | 'appeared' | 'changed' | 'orphaned' | 'confirmed'

const before = z.object({ revision: z.number(), canonical: z.boolean(), same: z.boolean() })

/**
 * Stores a fact unless a revision at least as high is there; of receipts, which have none, the latest word counts. The
 * vault must be locked. `confirmed` only raises the revision of what stands; `changed` moves it to another block or
 * makes it other.
 */
export async function storeFact(tx: Tx, fact: ChainFact): Promise<FactChange> {
  const known = await tx.maybeOne(sql.type(before)`
    SELECT revision, canonical, block_hash = ${fact.blockHash} AND name = ${fact.name}
      AND args = ${JSON.stringify(fact.args)}::jsonb AS same
    FROM chain_fact WHERE chain_id = ${fact.chainId} AND tx_hash = ${fact.txHash} AND log_ordinal = ${fact.logOrdinal}`)
  if (known !== null && known.revision >= fact.revision && known.revision > 0) return 'old'
  await tx.query(sql.unsafe`
    INSERT INTO chain_fact (chain_id, tx_hash, log_ordinal, log_index, vault, name, args, block_number, block_hash, block_time,
      revision, canonical)
    VALUES (${fact.chainId}, ${fact.txHash}, ${fact.logOrdinal}, ${fact.logIndex}, ${fact.vault}, ${fact.name},
      ${JSON.stringify(fact.args)}::jsonb, ${fact.blockNumber}, ${fact.blockHash}, ${fact.blockTime}, ${fact.revision},
      ${fact.canonical})
    ON CONFLICT (chain_id, tx_hash, log_ordinal) DO UPDATE SET log_index = excluded.log_index, vault = excluded.vault,
      name = excluded.name, args = excluded.args, block_number = excluded.block_number, block_hash = excluded.block_hash,
      block_time = excluded.block_time, revision = excluded.revision, canonical = excluded.canonical`)
  if (known?.canonical !== true) return fact.canonical ? 'appeared' : 'old'
  if (!fact.canonical) return 'orphaned'
  return known.same ? 'confirmed' : 'changed'
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

/** What stands of a vault, its creation included, in the order of the chain. */
export function factsOfVault(db: Db, chainId: number, vault: string): Promise<readonly ChainFact[]> {
  return db.any(sql.type(factRow)`
    SELECT ${columns} FROM chain_fact f WHERE chain_id = ${chainId} AND vault = ${vault} AND canonical
    ORDER BY block_number, log_index`)
}

/** The newest standing fact of a name. */
export function newestFact(db: Db, chainId: number, vault: string, name: string): Promise<ChainFact | null> {
  return db.maybeOne(sql.type(factRow)`
    SELECT ${columns} FROM chain_fact f WHERE chain_id = ${chainId} AND vault = ${vault} AND name = ${name} AND canonical
    ORDER BY block_number DESC, log_index DESC LIMIT 1`)
}

/** Facts of receipts, of blocks that the sweep has left behind without confirming them. */
export function unconfirmedReceipts(db: Db, chainId: number, beforeBlock: number, max: number) {
  return db.any(sql.type(factRow)`
    SELECT ${columns} FROM chain_fact f
    WHERE chain_id = ${chainId} AND revision = 0 AND canonical AND block_number < ${beforeBlock}
    ORDER BY block_number LIMIT ${max}`)
}

/** Executions that came before their vault was attached, of vaults attached since a time. */
export function unjudgedFacts(db: Db, attachedSince: Date, max: number): Promise<readonly ChainFact[]> {
  return db.any(sql.type(factRow)`
    SELECT ${columns}
    FROM vault v JOIN chain_fact f ON f.chain_id = v.chain_id AND f.vault = v.address AND f.name = 'Executed' AND f.canonical
    WHERE v.attached_at > ${attachedSince.toISOString()} AND f.revision > 0 AND NOT EXISTS (
      SELECT 1 FROM execution e
      WHERE e.chain_id = f.chain_id AND e.tx_hash = f.tx_hash AND e.log_ordinal = f.log_ordinal)
    ORDER BY f.block_number, f.log_index LIMIT ${max}`)
}
