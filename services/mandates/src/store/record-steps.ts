import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const stepRow = z.object({
  seq: z.number(),
  at: z.string(),
  kind: z.string(),
  source: z.string(),
  tx_hash: z.string().nullable(),
  approval_id: z.string().nullable(),
  body: z.record(z.string(), z.unknown()),
  hash: z.string(),
})
export type StepRow = z.output<typeof stepRow>

const columns = sql.fragment`seq, at, kind, source, tx_hash, entry->'body'->>'approval_id' AS approval_id, entry->'body' AS body, hash`

/** Entries after a place, or of late, oldest first. */
export function entriesSince(
  db: Db,
  mandateId: number,
  query: { readonly since: number; readonly lateFrom: Date; readonly limit: number },
): Promise<readonly StepRow[]> {
  // Two index scans of their own: one OR would read the whole record of the mandate.
  return db.any(sql.prepared('record_entries_since', stepRow)`
    (SELECT ${columns} FROM record_entry WHERE mandate_id = ${mandateId} AND seq > ${query.since} ORDER BY seq LIMIT ${query.limit})
    UNION ALL
    (SELECT ${columns} FROM record_entry
     WHERE mandate_id = ${mandateId} AND at > ${query.lateFrom.toISOString()} AND seq <= ${query.since}
     ORDER BY at DESC LIMIT ${query.limit})
    ORDER BY seq`)
}

/** Every entry of these transactions and held calls: the rest of the groups that were touched. */
export function entriesOfGroups(
  db: Db,
  mandateId: number,
  groups: { readonly transactions: readonly string[]; readonly approvals: readonly string[] },
  max: number,
): Promise<readonly StepRow[]> {
  return db.any(sql.type(stepRow)`
    SELECT ${columns} FROM record_entry
    WHERE mandate_id = ${mandateId} AND tx_hash = ANY(${sql.array([...groups.transactions], 'text')})
    UNION ALL
    SELECT ${columns} FROM record_entry
    WHERE mandate_id = ${mandateId} AND tx_hash IS NULL AND entry->'body' ? 'approval_id'
      AND entry->'body'->>'approval_id' = ANY(${sql.array([...groups.approvals], 'text')})
    ORDER BY seq LIMIT ${max}`)
}

/** The newest entry that the chain itself proves. */
export function newestProved(db: Db, mandateId: number): Promise<StepRow | null> {
  return db.maybeOne(sql.type(stepRow)`
    SELECT ${columns} FROM record_entry WHERE mandate_id = ${mandateId} AND kind = 'chain_fact' ORDER BY at DESC LIMIT 1`)
}

const wholeRow = z.object({ hash: z.string(), entry: z.record(z.string(), z.unknown()) })

/** Whole entries as they were hashed, in order, after a place. */
export function wholeEntries(
  db: Db,
  mandateId: number,
  after: number,
  upTo: number,
  limit: number,
): Promise<readonly z.output<typeof wholeRow>[]> {
  return db.any(sql.type(wholeRow)`
    SELECT hash, entry FROM record_entry
    WHERE mandate_id = ${mandateId} AND seq > ${after} AND seq <= ${upTo} ORDER BY seq LIMIT ${limit}`)
}
