import { verdictKind } from '@svc/contracts/gallery/gaps'
import { sql, table, typed, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const stored = table('verdict', {
  followId: z.string(),
  seq: typed('int8', z.number()),
  kind: verdictKind,
  reason: z.string().nullable(),
  signalPrice: typed('numeric', z.string().nullable()),
  fillPrice: typed('numeric', z.string().nullable()),
  delayMs: typed('int8', z.number().nullable()),
  gapBps: typed('numeric', z.string().nullable()),
  notionalUsdc: typed('int8', z.number().transform(BigInt).nullable()),
  decidedAt: typed('timestamptz', z.string()),
})
const newVerdicts = table('verdict', { ...stored.columns, mandateId: z.string(), vaultId: z.string() })
/** What the house runner decided on a signal of a follow, for ever. */
export type Verdict = RowOf<typeof stored>

/** A verdict to store, with what it belongs to. */
export type NewVerdict = Omit<RowOf<typeof newVerdicts>, 'decidedAt'>

/** Rows of one statement. */
const ROWS_MAX = 5_000

/**
 * Stores verdicts and moves their follows forward. The follows must be locked, and the verdicts of each must be those of the
 * signals right after the last decided one, in their order: then no signal has two verdicts and none is left out. Rejects if a
 * row exists.
 */
export async function storeVerdicts(tx: Tx, verdicts: readonly NewVerdict[], at: Date): Promise<void> {
  const decidedAt = at.toISOString()
  for (let from = 0; from < verdicts.length; from += ROWS_MAX) {
    const rows = verdicts.slice(from, from + ROWS_MAX).map((one) => ({ ...one, decidedAt }))
    await tx.query(sql.unsafe`${newVerdicts.insertAll(rows)}`)
  }
  const last = new Map(verdicts.map(({ followId, seq }) => [followId, seq]))
  await tx.query(sql.unsafe`
    UPDATE follow SET decided_seq = done.seq
    FROM ${sql.unnest([...last], ['text', 'int8'])} AS done (id, seq) WHERE follow.id = done.id`)
}

/** Returns verdicts of a follow, newest first. */
export function newestVerdicts(
  db: Db,
  { id, mandateId, vaultId }: { readonly id: string; readonly mandateId: string; readonly vaultId: string },
  limit: number,
): Promise<readonly Verdict[]> {
  return db.any(sql.type(stored.row)`
    SELECT ${stored.list} FROM verdict WHERE mandate_id = ${mandateId} AND vault_id = ${vaultId} AND follow_id = ${id} ORDER BY seq DESC LIMIT ${limit}`)
}
