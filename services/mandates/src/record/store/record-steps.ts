import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'
import { alive, ofParty, partyKind, type Party } from '#mandate/store/mandates.ts'
import { entries } from './record.ts'

const stepRow = entries.row.extend({
  group_key: z.string().nullable(),
  body: z.record(z.string(), z.unknown()),
  hash: z.string(),
})
/** An entry as the polling read returns it. */
export type StepRow = z.output<typeof stepRow>

const nothing = z.object({ head: z.number(), seq: z.null() })
const readRow = z.union([stepRow.extend({ head: z.number(), proved: z.boolean() }), nothing])
/** Entries of one transaction are one group, those of one held call another. */
const groupKey = sql.fragment`coalesce(tx_hash, entry->'body'->>'approval_id')`
const columns = sql.fragment`${entries.list}, ${groupKey} AS group_key, entry->'body' AS body, hash`

/** The stored rows behind a polling read. */
export interface RecordRead {
  /** Number of the newest entry. */
  readonly head: number
  /** The requested entries and all others of their transactions and held calls, each once, in no order. */
  readonly steps: readonly StepRow[]
  /** The newest entry that the chain proves; null without steps. */
  readonly proved: StepRow | null
}

/** Returns the entries of a polling read: those in (since, upTo] and the late ones. Returns null if the caller may not see the mandate. */
export async function readSteps(
  db: Db,
  publicId: string,
  party: Party,
  query: {
    readonly now: Date
    readonly since: number
    readonly upTo: number
    readonly lateFrom: Date
    readonly lateMax: number
    readonly groupMax: number
    /** Bounds the entries of all groups together; whole groups come before the one that it cuts. */
    readonly groupedMax: number
  },
): Promise<RecordRead | null> {
  const { since, upTo } = query
  const lateFrom = query.lateFrom.toISOString()
  // One statement, because clients poll every few seconds. Every part is a bounded index scan, and the mandate's
  // row says which of them need not run; an OR of `seq` and `at`, or a plain join on the groups, would let the planner
  // read the whole record of the mandate. Groups are read in the order in which they are answered, and a nested loop keeps
  // it, so that a page whose entries all belong to long groups does not read them all.
  const rows = await db.any(sql.prepared(`read_steps_${partyKind(party)}`, readRow)`
    SELECT record_seq AS head, step.* FROM mandate LEFT JOIN LATERAL (
      WITH page AS MATERIALIZED (
        SELECT ${columns} FROM record_entry
        WHERE mandate_id = mandate.id AND seq > ${since} AND seq <= ${upTo} AND record_seq > ${since}
        UNION ALL
        (SELECT ${columns} FROM record_entry
         WHERE mandate_id = mandate.id AND at > ${lateFrom} AND seq <= ${since} AND record_at > ${lateFrom}
         ORDER BY at DESC LIMIT ${query.lateMax})
      )
      SELECT false AS proved, * FROM page WHERE group_key IS NULL
      UNION ALL
      (SELECT false, member.* FROM (
        SELECT group_key AS key FROM page WHERE group_key IS NOT NULL
        GROUP BY group_key ORDER BY min(seq) FILTER (WHERE seq > ${since})) AS told
       CROSS JOIN LATERAL (
        SELECT ${columns} FROM record_entry WHERE mandate_id = mandate.id AND ${groupKey} = key
        ORDER BY seq DESC LIMIT ${query.groupMax}) AS member
       LIMIT ${query.groupedMax})
      UNION ALL
      SELECT true, ${columns} FROM record_entry
      WHERE mandate_id = mandate.id AND seq = record_proved_seq AND (record_seq > ${since} OR record_at > ${lateFrom})
    ) AS step ON true
    WHERE public_id = ${publicId} AND ${ofParty(party)} AND ${alive(query.now)}`)
  const [first] = rows
  if (first === undefined) return null
  const entries = rows.filter((row) => row.seq !== null)
  return {
    head: first.head,
    steps: entries.filter(({ proved }) => !proved),
    proved: entries.find(({ proved }) => proved) ?? null,
  }
}

const wholeRow = z.object({ hash: z.string(), entry: z.record(z.string(), z.unknown()) })

/** Returns whole entries as they were hashed, in order, after a number. */
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

const placeRow = z.object({ chain_id: z.number(), vault: z.string() })

/** Returns the vault that the entries up to a number attach; null if they attach none. */
export function vaultInRecord(db: Db, mandateId: number, upTo: number): Promise<z.output<typeof placeRow> | null> {
  return db.maybeOne(sql.type(placeRow)`
    SELECT (entry->'body'->>'chain_id')::bigint AS chain_id, entry->'body'->>'vault' AS vault FROM record_entry
    WHERE mandate_id = ${mandateId} AND kind = 'vault_attached' AND seq <= ${upTo} ORDER BY seq DESC LIMIT 1`)
}
