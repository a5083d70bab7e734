import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const addressRow = z.object({ address: z.string(), since: z.string() })
/** An address whose deposits are watched since a time. */
export type WatchedAddress = z.output<typeof addressRow>

/** Watches an address; a repetition changes nothing. */
export async function watchAddress(
  tx: Tx,
  chainId: number,
  address: { readonly address: string; readonly kind: string; readonly askedBy: string; readonly since: string },
): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO watched_address (chain_id, address, kind, asked_by, since)
    VALUES (${chainId}, ${address.address}, ${address.kind}, ${address.askedBy}, ${address.since})
    ON CONFLICT DO NOTHING`)
}

const keyRow = z.object({ address: z.string() })

/** Returns the addresses that the stream covers. */
export async function coveredAddresses(db: Db, chainId: number): Promise<readonly string[]> {
  const rows = await db.any(sql.type(keyRow)`
    SELECT address FROM watched_address WHERE chain_id = ${chainId} AND backfilled ORDER BY address`)
  return rows.map(({ address }) => address)
}

/** Returns addresses that the stream does not cover yet. */
export function newAddresses(db: Db, chainId: number, max: number): Promise<readonly WatchedAddress[]> {
  return db.any(sql.type(addressRow)`
    SELECT address, since FROM watched_address WHERE chain_id = ${chainId} AND NOT backfilled ORDER BY address LIMIT ${max}`)
}

/** Adds addresses to the stream, after the blocks behind its position were scanned for them. */
export async function markCovered(tx: Tx, chainId: number, addresses: readonly string[]): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE watched_address SET backfilled = true
    WHERE chain_id = ${chainId} AND address = ANY(${sql.array([...addresses], 'text')})`)
}
