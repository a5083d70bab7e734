import {
  vaultBooks,
  vaultReading,
  vaultTerms,
  type VaultBooks,
  type VaultReading,
} from '@svc/contracts/chain-indexer/vaults'
import { json, sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { Created } from '../decode-logs.ts'

const storedVaults = table('vault', {
  address: z.string(),
  factory: z.string(),
  version: z.union([z.literal(1), z.literal(2)]),
  owner: z.string(),
  mandate_id_hash: z.string(),
  terms_hash: z.string(),
  terms: json(vaultTerms),
  tx_hash: z.string(),
  created_block: z.number(),
  created_time: z.string(),
  revision: z.number(),
  canonical: z.boolean(),
  books: json(vaultBooks),
  books_block: z.number(),
  differs: z.array(z.string()),
})
const newVaults = table('vault', { chain_id: z.number(), ...storedVaults.omit('differs').columns })
const createAgain = newVaults.onConflict(['chain_id', 'address'])
/** A vault with its newest books; `differs` names the figures in which they contradict the chain. */
export type StoredVault = RowOf<typeof storedVaults>

/** True for a vault of a factory whose earlier blocks are still being read: it is not yet at the stream's position. */
const ofLateFactory = sql.fragment`EXISTS (
  SELECT FROM swept_factory AS late
  WHERE late.chain_id = vault.chain_id AND late.address = lower(vault.factory) AND late.next_block IS NOT NULL)`

const addressRow = z.object({ address: z.string() })

/** Returns the addresses of every canonical vault that the stream reads. */
export async function vaultAddresses(db: Db, chainId: number): Promise<readonly string[]> {
  const rows = await db.any(sql.type(addressRow)`
    SELECT address FROM vault WHERE chain_id = ${chainId} AND canonical AND NOT ${ofLateFactory}`)
  return rows.map(({ address }) => address)
}

/** Returns the addresses of the canonical vaults of a factory, whose address is in lower case. */
export async function vaultsOfFactory(db: Db, chainId: number, factory: string): Promise<readonly string[]> {
  const rows = await db.any(sql.type(addressRow)`
    SELECT address FROM vault WHERE chain_id = ${chainId} AND canonical AND lower(factory) = ${factory}`)
  return rows.map(({ address }) => address)
}

/** Returns the stored vaults among the addresses, which are in EIP-55, canonical or not. */
export async function findVaults(
  db: Db,
  chainId: number,
  addresses: readonly string[],
): Promise<readonly StoredVault[]> {
  return db.any(sql.type(storedVaults.row)`
    SELECT ${storedVaults.list} FROM vault WHERE chain_id = ${chainId} AND address = ANY(${sql.array([...addresses], 'text')})`)
}

/** Conditions of a list of vaults; null for no condition. */
export interface VaultFilter {
  readonly vaults: readonly string[] | null
  readonly owner: string | null
  readonly mandateIdHash: string | null
  readonly after: string
  readonly limit: number
}

/** Returns the vaults that meet every condition, ordered by address. */
export function listVaults(db: Db, chainId: number, filter: VaultFilter): Promise<readonly StoredVault[]> {
  const { vaults, owner, mandateIdHash, after, limit } = filter
  return db.any(sql.type(storedVaults.row)`
    SELECT ${storedVaults.list} FROM vault
    WHERE chain_id = ${chainId} AND address > ${after}
      ${vaults === null ? sql.fragment`` : sql.fragment`AND address = ANY(${sql.array([...vaults], 'text')})`}
      ${owner === null ? sql.fragment`` : sql.fragment`AND owner = ${owner}`}
      ${mandateIdHash === null ? sql.fragment`` : sql.fragment`AND mandate_id_hash = ${mandateIdHash}`}
    ORDER BY address LIMIT ${limit}`)
}

/** A vault at its creation. */
export interface NewVault {
  readonly address: string
  readonly created: Created
  readonly tx_hash: string
  readonly block: number
  readonly time: string
  readonly revision: number
}

/** A vault after the logs of a chunk. */
export interface ChangedVault {
  readonly address: string
  readonly books: VaultBooks
  readonly books_block: number
  readonly differs: readonly string[]
}

/** Stores a vault that was created, or created again in another block. */
export async function putVault(tx: Tx, chainId: number, vault: NewVault, books: VaultBooks): Promise<void> {
  const row = {
    ...vault.created,
    chain_id: chainId,
    address: vault.address,
    tx_hash: vault.tx_hash,
    created_block: vault.block,
    created_time: vault.time,
    revision: vault.revision,
    canonical: true,
    books,
    books_block: vault.block,
  }
  await tx.query(sql.unsafe`${newVaults.insert(row)} ${createAgain}, differs = '{}'`)
}

/** Stores the books of vaults after a chunk. */
export async function updateBooks(tx: Tx, chainId: number, vaults: readonly ChangedVault[]): Promise<void> {
  const rows = vaults.map(({ address, books, books_block, differs }) => [
    address,
    JSON.stringify(books),
    books_block,
    JSON.stringify(differs),
  ])
  await tx.query(sql.unsafe`
    UPDATE vault SET books = changed.books, books_block = changed.books_block,
      differs = ARRAY(SELECT jsonb_array_elements_text(changed.differs))
    FROM ${sql.unnest(rows, ['text', 'jsonb', 'int8', 'jsonb'])} AS changed (address, books, books_block, differs)
    WHERE vault.chain_id = ${chainId} AND vault.address = changed.address`)
}

/** Marks vaults whose creation was taken back as not canonical. */
export async function orphanVaults(
  tx: Tx,
  chainId: number,
  vaults: readonly { readonly address: string; readonly revision: number }[],
): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE vault SET canonical = false, revision = gone.revision
    FROM ${sql.unnest(
      vaults.map(({ address, revision }) => [address, revision]),
      ['text', 'int4'],
    )} AS gone (address, revision)
    WHERE vault.chain_id = ${chainId} AND vault.address = gone.address`)
}

const pollRow = storedVaults.row.extend({
  polled: vaultReading.nullable(),
  anchor_number: z.number(),
  anchor_hash: z.string(),
})
/** A vault with the block at which its views are to be read. */
export type VaultToPoll = z.output<typeof pollRow>

/** Returns vaults, longest unread first, with the block of their books, both from one snapshot. */
export function vaultsToPoll(db: Db, chainId: number, max: number): Promise<readonly VaultToPoll[]> {
  return db.any(sql.type(pollRow)`
    SELECT ${storedVaults.list}, polled, cursor.anchor_number, cursor.anchor_hash
    FROM vault JOIN cursor USING (chain_id)
    WHERE chain_id = ${chainId} AND canonical AND NOT ${ofLateFactory} AND cursor.stream = 'vault_events' AND cursor.stopped IS NULL
    ORDER BY polled_at NULLS FIRST, address LIMIT ${max}`)
}

/** Stores the poller's reading and the figures in which it contradicts the books; no figures end an earlier contradiction. */
export async function putReading(
  tx: Tx,
  { chainId, address }: { readonly chainId: number; readonly address: string },
  reading: VaultReading,
  differs: readonly string[],
  now: Date,
): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE vault SET polled = ${JSON.stringify(reading)}, polled_at = ${now.toISOString()},
      differs = ${sql.array([...differs], 'text')}
    WHERE chain_id = ${chainId} AND address = ${address}`)
}
