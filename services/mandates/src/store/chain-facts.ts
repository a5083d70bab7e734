import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** A log of a vault with its place in the chain. Addresses and hashes are lower case. */
export interface ChainFact {
  readonly chainId: number
  readonly txHash: string
  readonly logOrdinal: number
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

const before = z.object({ revision: z.number(), canonical: z.boolean() })

/** How a fact changed what is known: `old` was known as it is or better. */
export type FactChange = 'old' | 'appeared' | 'changed' | 'orphaned' | 'confirmed'

/**
 * Stores a fact unless a revision at least as high is there. The vault must be locked. `confirmed` only raises the
 * revision of what stands; `changed` moves it to another block or makes it other.
 */
export async function storeFact(tx: Tx, fact: ChainFact): Promise<FactChange> {
  const known = await tx.maybeOne(sql.type(before.extend({ same: z.boolean() }))`
    SELECT revision, canonical, block_hash = ${fact.blockHash} AND name = ${fact.name}
      AND args = ${JSON.stringify(fact.args)}::jsonb AS same
    FROM chain_fact WHERE chain_id = ${fact.chainId} AND tx_hash = ${fact.txHash} AND log_ordinal = ${fact.logOrdinal}`)
  if (known !== null && known.revision >= fact.revision) return 'old'
  await tx.query(sql.unsafe`
    INSERT INTO chain_fact (chain_id, tx_hash, log_ordinal, vault, name, args, block_number, block_hash, block_time, revision, canonical)
    VALUES (${fact.chainId}, ${fact.txHash}, ${fact.logOrdinal}, ${fact.vault}, ${fact.name}, ${JSON.stringify(fact.args)}::jsonb,
      ${fact.blockNumber}, ${fact.blockHash}, ${fact.blockTime}, ${fact.revision}, ${fact.canonical})
    ON CONFLICT (chain_id, tx_hash, log_ordinal) DO UPDATE SET vault = excluded.vault, name = excluded.name,
      args = excluded.args, block_number = excluded.block_number, block_hash = excluded.block_hash,
      block_time = excluded.block_time, revision = excluded.revision, canonical = excluded.canonical, arrived = DEFAULT`)
  if (known === null) return fact.canonical ? 'appeared' : 'old'
  if (known.canonical && !fact.canonical) return 'orphaned'
  if (!known.canonical) return fact.canonical ? 'appeared' : 'old'
  return known.same ? 'confirmed' : 'changed'
}

const factRow = z.object({
  name: z.string(),
  args: z.record(z.string(), z.union([z.string(), z.boolean()])),
  tx_hash: z.string(),
  block_number: z.number(),
  block_time: z.string(),
})
export type StoredFact = z.output<typeof factRow>

/** What stands of a vault, in the order of the chain. */
export function factsOfVault(db: Db, chainId: number, vault: string): Promise<readonly StoredFact[]> {
  return db.any(sql.type(factRow)`
    SELECT name, args, tx_hash, block_number, block_time FROM chain_fact
    WHERE chain_id = ${chainId} AND vault = ${vault} AND canonical
    ORDER BY block_number, arrived, log_ordinal`)
}

/** The newest standing fact of a name. */
export function newestFact(db: Db, chainId: number, vault: string, name: string): Promise<StoredFact | null> {
  return db.maybeOne(sql.type(factRow)`
    SELECT name, args, tx_hash, block_number, block_time FROM chain_fact
    WHERE chain_id = ${chainId} AND vault = ${vault} AND name = ${name} AND canonical
    ORDER BY block_number DESC, arrived DESC LIMIT 1`)
}
