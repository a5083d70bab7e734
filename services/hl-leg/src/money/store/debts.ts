import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** Why an address began to owe, or owes less. */
export type DebtCause = 'fallback' | 'unbacked' | 'payment' | 'written_off'

/** A change of what an address owes; positive when it begins to owe. Base units of USDC. */
export interface DebtChange {
  readonly network: string
  readonly owner: string
  readonly publicId: string | null
  readonly cause: DebtCause
  readonly amount: bigint
  readonly transferId: string | null
  readonly venueHash: string | null
}

/** Stores a change of a debt, once for its transfer or ledger entry. */
export async function insertDebt(tx: Tx, change: DebtChange, now: Date): Promise<void> {
  const { network, owner, publicId, cause, amount, transferId, venueHash } = change
  await tx.query(sql.unsafe`
    INSERT INTO leg_debt (network, owner_address, public_id, cause, amount, transfer_id, venue_hash, at)
    VALUES (${network}, ${owner}, ${publicId}, ${cause}, ${String(amount)}, ${transferId}, ${venueHash},
      ${now.toISOString()})
    ON CONFLICT DO NOTHING`)
}

const debt = z.object({ owner_address: z.string(), owed: z.string().transform(BigInt) })

/** Returns what addresses owe; an address without a row owes nothing. */
export async function debtsOf(
  db: Db,
  network: string,
  owners: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.any(sql.type(debt)`
    SELECT owner_address, greatest(sum(amount), 0) AS owed FROM leg_debt
    WHERE network = ${network} AND owner_address = ANY(${sql.array([...owners], 'text')}) GROUP BY owner_address`)
  return new Map(rows.map(({ owner_address, owed }) => [owner_address, owed]))
}

/** Returns what all addresses of a network owe together. */
export function debtOfAll(db: Db, network: string): Promise<bigint> {
  return db.oneFirst(sql.type(z.object({ owed: z.string().transform(BigInt) }))`
    SELECT coalesce(sum(owed), 0) AS owed FROM (
      SELECT greatest(sum(amount), 0) AS owed FROM leg_debt WHERE network = ${network} GROUP BY owner_address) o`)
}
