import { instant, sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { counterOf, eachOf } from '@svc/service'
import { z } from 'zod'

const refusals = table('refusal', {
  id: z.number(),
  kind: z.string(),
  source: z.string(),
  revision: z.number(),
  canonical: z.boolean(),
})
/** A stored refusal; `revision` is 0 until the chain confirms it. */
export type StoredRefusal = RowOf<typeof refusals>

const countRefusal = counterOf(
  'hub_refusals_total',
  'Refusals in records, by kind and by who refused',
  eachOf('source', ['chain', 'venue', 'server', 'agent', 'owner']),
)

const newRefusals = table('refusal', {
  mandateId: z.number(),
  kind: z.string(),
  code: z.string().nullable(),
  source: z.enum(['chain', 'venue', 'server', 'agent', 'owner']),
  txHash: z.string().nullable(),
  callHash: z.string().nullable(),
  revision: z.number(),
  at: instant,
})
/** A refused attempt to store; its revision is 0 unless it says otherwise. */
export type NewRefusal = Omit<RowOf<typeof newRefusals>, 'revision'> & { readonly revision?: number }

/** Stores a refusal and returns it; null if one of this transaction is stored already. */
export async function insertRefusal(tx: Tx, refusal: NewRefusal): Promise<StoredRefusal | null> {
  const stored = await tx.maybeOne(sql.type(refusals.row)`
    ${newRefusals.insert({ ...refusal, revision: refusal.revision ?? 0 })}
    ON CONFLICT (mandate_id, tx_hash) WHERE tx_hash IS NOT NULL DO NOTHING
    RETURNING ${refusals.list}`)
  if (stored !== null) countRefusal({ kind: refusal.kind, source: refusal.source })
  return stored
}

/** Returns the refusal of a transaction; null if none is stored. */
export function refusalOfTransaction(db: Db, mandateId: number, txHash: string): Promise<StoredRefusal | null> {
  return db.maybeOne(sql.type(refusals.row)`
    SELECT ${refusals.list} FROM refusal WHERE mandate_id = ${mandateId} AND tx_hash = ${txHash}`)
}

/** Updates a reported or found refusal from the chain. */
export async function proveRefusal(
  tx: Tx,
  id: number,
  kind: string,
  revision: number,
  canonical: boolean,
): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE refusal SET kind = ${kind}, source = 'chain', revision = ${revision}, canonical = ${canonical} WHERE id = ${id}`)
}

const reportedRow = z.object({ id: z.number(), mandate_id: z.number(), tx_hash: z.string(), kind: z.string() })
/** A refusal that a receipt proved when the agent reported it. */
export type ProvedReport = z.output<typeof reportedRow>

/** Returns recent reports that a receipt proved and the scan of reverted calls has not confirmed. */
export function unconfirmedReports(db: Db, since: Date, max: number): Promise<readonly ProvedReport[]> {
  return db.any(sql.type(reportedRow)`
    SELECT id, mandate_id, tx_hash, kind FROM refusal
    WHERE source = 'chain' AND revision = 0 AND canonical AND tx_hash IS NOT NULL AND at > ${since.toISOString()}
    ORDER BY id LIMIT ${max}`)
}

/** Withdraws a report whose transaction is no longer in the chain; returns false if the scan has confirmed it meanwhile. */
export async function withdrawReport(tx: Tx, id: number): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE refusal SET canonical = false WHERE id = ${id} AND revision = 0 AND canonical`)
  return rowCount > 0
}

/** Returns true if the same call was refused for the same reason since a time. */
export function refusedSince(db: Db, mandateId: number, callHash: string, code: string, since: Date): Promise<boolean> {
  return db.exists(sql.unsafe`
    SELECT 1 FROM refusal WHERE mandate_id = ${mandateId} AND call_hash = ${callHash} AND code = ${code}
      AND at > ${since.toISOString()}`)
}
