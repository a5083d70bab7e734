import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'
import { alive, ofParty, partyKind, type Party } from './mandates.ts'

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

const readRow = z.discriminatedUnion('part', [
  z.object({ part: z.literal('head'), head: z.number(), newest: z.number().nullable() }),
  stepRow.extend({ part: z.enum(['step', 'proved']) }),
])
const columns = sql.fragment`seq, at, kind, source, tx_hash, entry->'body'->>'approval_id' AS approval_id, entry->'body' AS body, hash`

/** What a polling read answers from. */
export interface RecordRead {
  /** Number of the newest entry. */
  readonly head: number
  /** Number of the newest of the entries that were asked for; null when there are none. */
  readonly newest: number | null
  /** Those entries, and all others of their transactions and held calls, each once and in no order. */
  readonly steps: readonly StepRow[]
  /** The newest entry that the chain itself proves; null when there are no steps. */
  readonly proved: StepRow | null
}

/** The entries that a polling read answers; null for whom the mandate is not there. */
export async function readSteps(
  db: Db,
  publicId: string,
  party: Party,
  query: {
    readonly now: Date
    readonly since: number
    readonly lateFrom: Date
    readonly pageMax: number
    readonly groupMax: number
  },
): Promise<RecordRead | null> {
  const own = sql.fragment`mandate_id = (SELECT id FROM of_caller)`
  // One statement, because this is asked every few seconds. Every part is an index scan that its limit bounds; an OR of
  // `seq` and `at`, or a plain join on the groups, would let the planner read the whole record of the mandate.
  const rows = await db.any(sql.prepared(`read_steps_${partyKind(party)}`, readRow)`
    WITH of_caller AS MATERIALIZED (
      SELECT id, record_seq FROM mandate WHERE public_id = ${publicId} AND ${ofParty(party)} AND ${alive(query.now)}
    ), page AS MATERIALIZED (
      (SELECT ${columns} FROM record_entry WHERE ${own} AND seq > ${query.since} ORDER BY seq LIMIT ${query.pageMax})
      UNION ALL
      (SELECT ${columns} FROM record_entry WHERE ${own} AND at > ${query.lateFrom.toISOString()} AND seq <= ${query.since}
       ORDER BY at DESC LIMIT ${query.pageMax})
    )
    SELECT 'head' AS part, record_seq AS head, (SELECT max(seq) FROM page) AS newest, NULL::bigint AS seq, NULL::timestamptz AS at,
      NULL AS kind, NULL AS source, NULL AS tx_hash, NULL AS approval_id, NULL::jsonb AS body, NULL AS hash FROM of_caller
    UNION ALL SELECT 'step', NULL, NULL, * FROM page WHERE tx_hash IS NULL AND approval_id IS NULL
    UNION ALL
    SELECT 'step', NULL, NULL, step.* FROM (SELECT DISTINCT tx_hash AS tx FROM page WHERE tx_hash IS NOT NULL) AS told
    CROSS JOIN LATERAL (
      SELECT ${columns} FROM record_entry WHERE ${own} AND tx_hash = tx LIMIT ${query.groupMax}) AS step
    UNION ALL
    SELECT 'step', NULL, NULL, step.*
    FROM (SELECT DISTINCT approval_id AS item FROM page WHERE tx_hash IS NULL AND approval_id IS NOT NULL) AS told
    CROSS JOIN LATERAL (
      SELECT ${columns} FROM record_entry
      WHERE ${own} AND tx_hash IS NULL AND entry->'body' ? 'approval_id' AND entry->'body'->>'approval_id' = item
      LIMIT ${query.groupMax}) AS step
    UNION ALL (
      SELECT 'proved', NULL, NULL, ${columns} FROM record_entry
      WHERE ${own} AND kind = 'chain_fact' AND EXISTS (SELECT 1 FROM page) ORDER BY record_entry.at DESC LIMIT 1)`)
  const first = rows.find((row) => row.part === 'head')
  if (first === undefined) return null
  const partOf = (part: 'step' | 'proved') => rows.flatMap((row) => (row.part === part ? [stepOf(row)] : []))
  return { head: first.head, newest: first.newest, steps: partOf('step'), proved: partOf('proved')[0] ?? null }
}

const stepOf = ({ part: _part, ...step }: StepRow & { readonly part: string }): StepRow => step

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
