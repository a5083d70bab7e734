import { json, sql, table, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import { factChange, type ChainFact, type FactChange } from '../rules/chain-fact.ts'

const facts = table('chain_fact', {
  chainId: z.number(),
  txHash: z.string(),
  logOrdinal: z.number(),
  logIndex: z.number(),
  vault: z.string(),
  name: z.string(),
  args: json(z.record(z.string(), z.union([z.string(), z.boolean()]))),
  blockNumber: z.number(),
  blockHash: z.string(),
  blockTime: z.string(),
  revision: z.number(),
  canonical: z.boolean(),
})
const replaceFact = facts.onConflict(['chainId', 'txHash', 'logOrdinal'])
const columns = facts.listOf('f')

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
  await tx.query(sql.unsafe`${facts.insert(fact)} ${replaceFact}`)
  return change
}

const standsRow = z.object({ stands: z.boolean() })

/** Returns true for a fact that stands already, whatever its revision. */
export async function isStandingFact(
  db: Db,
  { chainId, txHash, logOrdinal }: Pick<ChainFact, 'chainId' | 'txHash' | 'logOrdinal'>,
): Promise<boolean> {
  const { stands } = await db.one(sql.type(standsRow)`
    SELECT EXISTS (SELECT 1 FROM chain_fact
      WHERE chain_id = ${chainId} AND tx_hash = ${txHash} AND log_ordinal = ${logOrdinal} AND canonical) AS stands`)
  return stands
}

/** Returns all standing facts of a vault, its creation included, in chain order. */
export function factsOfVault(db: Db, chainId: number, vault: string): Promise<readonly ChainFact[]> {
  return db.any(sql.type(facts.row)`
    SELECT ${columns} FROM chain_fact f WHERE chain_id = ${chainId} AND vault = ${vault} AND canonical
    ORDER BY block_number, log_index`)
}

/** Returns the newest standing fact of a name; null without one. */
export function newestFact(db: Db, chainId: number, vault: string, name: string): Promise<ChainFact | null> {
  return db.maybeOne(sql.type(facts.row)`
    SELECT ${columns} FROM chain_fact f WHERE chain_id = ${chainId} AND vault = ${vault} AND name = ${name} AND canonical
    ORDER BY block_number DESC, log_index DESC LIMIT 1`)
}

/** Returns unconfirmed facts of receipts in blocks that chain-indexer has already passed, oldest block first. */
export function unconfirmedReceipts(db: Db, chainId: number, beforeBlock: number, max: number) {
  return db.any(sql.type(facts.row)`
    SELECT ${columns} FROM chain_fact f
    WHERE chain_id = ${chainId} AND revision = 0 AND canonical AND block_number < ${beforeBlock}
    ORDER BY block_number LIMIT ${max}`)
}

/** Returns executions that arrived before their vault was attached, for vaults attached since a time, in chain order. */
export function unjudgedFacts(db: Db, attachedSince: Date, max: number): Promise<readonly ChainFact[]> {
  return db.any(sql.type(facts.row)`
    SELECT ${columns}
    FROM vault v JOIN chain_fact f ON f.chain_id = v.chain_id AND f.vault = v.address AND f.name = 'Executed' AND f.canonical
    WHERE v.attached_at > ${attachedSince.toISOString()} AND f.revision > 0 AND NOT EXISTS (
      SELECT 1 FROM execution e
      WHERE e.chain_id = f.chain_id AND e.tx_hash = f.tx_hash AND e.log_ordinal = f.log_ordinal)
    ORDER BY f.block_number, f.log_index LIMIT ${max}`)
}
