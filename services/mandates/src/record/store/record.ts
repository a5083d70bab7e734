import { json, sql, table, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { RecordEntry } from '../rules/record-hash.ts'

/** Columns of an entry that every reader needs; its content is in `entry`. */
export const entries = table('record_entry', {
  seq: z.number(),
  at: z.string(),
  kind: z.string(),
  source: z.string(),
  tx_hash: z.string().nullable(),
})
const storedEntries = table('record_entry', {
  ...entries.columns,
  mandate_id: z.number(),
  entry: json(z.custom<RecordEntry>()),
  hash: z.string(),
})

const headRow = z.object({ record_seq: z.number(), record_hash: z.string() })

/** Number and hash of the newest entry; 0 and '' before the first. */
export interface RecordHead {
  readonly seq: number
  readonly hash: string
}

/** Returns number and hash of the newest entry and locks the row, so that entries of a mandate are written one by one. */
export async function lockRecordHead(tx: Tx, mandateId: number): Promise<RecordHead> {
  const head = await tx.one(sql.prepared('lock_record_head', headRow)`
    SELECT record_seq, record_hash FROM mandate WHERE id = ${mandateId} FOR UPDATE`)
  return { seq: head.record_seq, hash: head.record_hash }
}

const noColumns = z.object({})

/**
 * Stores an entry as the newest of its mandate, whose row must be locked. What the chain proved last is its newest fact;
 * once one is taken back, the newest that still stands where the record says.
 */
export async function insertEntry(tx: Tx, mandateId: number, entry: RecordEntry, hash: string): Promise<void> {
  await tx.query(sql.prepared('insert_entry', noColumns)`
    WITH head AS (
      UPDATE mandate SET record_seq = ${entry.seq}, record_hash = ${hash}, record_at = greatest(record_at, ${entry.at}),
        record_proved_seq = CASE ${entry.kind} WHEN 'chain_fact' THEN ${entry.seq} WHEN 'chain_fact_orphaned' THEN (
          SELECT e.seq FROM record_entry e JOIN chain_fact f
            ON f.chain_id = (e.entry->'body'->>'chain_id')::bigint AND f.tx_hash = e.tx_hash
              AND f.log_ordinal = (e.entry->'body'->>'log_ordinal')::int AND f.block_hash = e.entry->'body'->>'block_hash'
          WHERE e.mandate_id = ${mandateId} AND e.kind = 'chain_fact' AND f.canonical
          ORDER BY e.seq DESC LIMIT 1) ELSE record_proved_seq END
      WHERE id = ${mandateId})
    ${storedEntries.insert({ ...entry, mandate_id: mandateId, entry, hash })}`)
}

const entryRow = entries.row.extend({ body: z.record(z.string(), z.unknown()) })
const columns = sql.fragment`${entries.list}, entry->'body' AS body`
/** An entry of a record without number and hashes. */
export type StoredEntry = z.output<typeof entryRow>

/** Returns the newest entries of a record, newest first. */
export function newestEntries(db: Db, mandateId: number, limit: number): Promise<readonly StoredEntry[]> {
  return db.any(sql.type(entryRow)`
    SELECT ${columns} FROM record_entry
    WHERE mandate_id = ${mandateId} ORDER BY seq DESC LIMIT ${limit}`)
}

/** Returns the first entry of a kind, of one transaction if one is given. */
export function findEntry(db: Db, mandateId: number, kind: string, txHash?: string): Promise<StoredEntry | null> {
  return db.maybeOne(sql.type(entryRow)`
    SELECT ${columns} FROM record_entry
    WHERE mandate_id = ${mandateId} AND kind = ${kind} AND (${txHash ?? null}::text IS NULL OR tx_hash = ${txHash ?? null})
    ORDER BY seq LIMIT 1`)
}

const refusedRow = z.object({ refusal: z.string(), count: z.number() })

/** Counts refused attempts since a time by their kind. */
export function countRefusals(db: Db, mandateId: number, since: Date): Promise<readonly z.output<typeof refusedRow>[]> {
  return db.any(sql.type(refusedRow)`
    SELECT kind AS refusal, count(*) FROM refusal
    WHERE mandate_id = ${mandateId} AND canonical AND at > ${since.toISOString()}
    GROUP BY 1 ORDER BY 1`)
}

/** Kind of the entry of a leg that the house ended in place of its owner. */
export const LEG_ENDED = 'leg_ended'

/** Returns true if the record has an entry of this kind, which is not a report of the agent. */
export function hasEntryOf(db: Db, mandateId: number, kind: string): Promise<boolean> {
  return db.exists(sql.unsafe`
    SELECT 1 FROM record_entry WHERE mandate_id = ${mandateId} AND kind = ${kind} AND kind <> 'event'`)
}
