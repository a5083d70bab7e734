import { sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { newVault, type Address, type VaultState } from '@svc/limits'
import { z } from 'zod'
import type { Vault } from '../rules/vault.ts'

const booksText = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

const newVaults = table('vault', {
  mandate_id: z.number(),
  chain_id: z.number(),
  address: z.string(),
  factory: z.string(),
  version: z.union([z.literal(1), z.literal(2)]),
  creation_tx: z.string(),
  agent: z.string(),
  attached_at: z.string().transform((text) => new Date(text).toISOString()),
})
const vaults = table('vault', {
  ...newVaults.columns,
  canonical: z.boolean(),
  books: booksText,
  books_block: z.number().nullable(),
  books_log_index: z.number().nullable(),
})
const attachAgain = newVaults.onConflict(['mandate_id'])

/** A vault as a row, or as `to_jsonb` of one. */
export const vaultRow = vaults.row.transform(({ books, ...row }): Vault => ({
  ...row,
  books: readBooks(row.agent, books),
}))

/** Returns the attached vault of a mandate, also while a reorganisation has removed it; null without one. */
export function vaultOfMandate(db: Db, mandateId: number): Promise<Vault | null> {
  return db.maybeOne(
    sql.prepared('vault_of_mandate', vaultRow)`SELECT ${vaults.list} FROM vault WHERE mandate_id = ${mandateId}`,
  )
}

/** Returns an attached vault by its address, also while a reorganisation has removed it; null without one. */
export function findVault(db: Db, chainId: number, address: string): Promise<Vault | null> {
  return db.maybeOne(
    sql.type(vaultRow)`SELECT ${vaults.list} FROM vault WHERE chain_id = ${chainId} AND address = ${address}`,
  )
}

/** Returns the vaults that exist on the chain, by the id of their mandate. */
export async function vaultsOfMandates(
  db: Db,
  mandates: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, Vault>> {
  const ids = mandates.map(({ id }) => id)
  const rows = await db.any(sql.type(vaultRow)`
    SELECT ${vaults.list} FROM vault WHERE mandate_id = ANY(${sql.array(ids, 'int8')}) AND canonical`)
  return new Map(rows.map((vault) => [vault.mandate_id, vault]))
}

/**
 * Locks a vault, attached or not, and returns it if attached. Nobody can attach it between the look-up of its mandate and the
 * storing of a fact. Must be taken before the lock of the mandate's row.
 */
export async function lockVault(tx: Tx, chainId: number, address: string): Promise<Vault | null> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended(${`vault:${chainId}:${address}`}, 0))`)
  return findVault(tx, chainId, address)
}

/**
 * Attaches a vault to its mandate, in place of one that a reorganisation removed, and returns it with empty books. The
 * mandate must be locked. Throws if the mandate has a vault on the chain.
 */
export async function insertVault(
  tx: Tx,
  vault: Omit<RowOf<typeof newVaults>, 'attached_at'>,
  now: Date,
): Promise<Vault> {
  const attached = await tx.maybeOne(sql.type(vaultRow)`
    ${newVaults.insert({ ...vault, attached_at: now.toISOString() })}
    ${attachAgain}, canonical = true, books = '{}', books_block = NULL, books_log_index = NULL
    WHERE NOT vault.canonical
    RETURNING ${vaults.list}`)
  if (attached === null) throw new Error('the mandate has a vault on the chain')
  return attached
}

/** Stores whether the vault exists on the chain, and which transaction created it last. */
export async function storeCreation(
  tx: Tx,
  vault: Pick<Vault, 'mandate_id' | 'canonical' | 'creation_tx'>,
): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE vault SET canonical = ${vault.canonical}, creation_tx = ${vault.creation_tx}
    WHERE mandate_id = ${vault.mandate_id}`)
}

/** Stores the books with the position of the newest fact in them. */
export async function storeBooks(
  tx: Tx,
  vault: Pick<Vault, 'mandate_id' | 'books' | 'books_block' | 'books_log_index'>,
): Promise<void> {
  const text = JSON.stringify(vault.books, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  await tx.query(sql.unsafe`
    UPDATE vault SET books = ${text}::jsonb, books_block = ${vault.books_block}, books_log_index = ${vault.books_log_index}
    WHERE mandate_id = ${vault.mandate_id}`)
}

function readBooks(agent: string, stored: z.output<typeof booksText>): VaultState {
  const fresh = newVault(agent as Address)
  return Object.fromEntries(
    Object.entries(fresh).map(([key, value]) => {
      const text = stored[key]
      return [key, text === undefined ? value : typeof value === 'bigint' ? BigInt(text) : text]
    }),
  ) as unknown as VaultState
}
