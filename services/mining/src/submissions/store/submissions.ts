import type { Check, Submission } from '@svc/contracts/mining/fields'
import { sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const reviewStatus = z.enum(['pending', 'approved', 'rejected'])
const submissions = table('submission', {
  id: z.string(),
  seq: z.number(),
  token_id: z.string(),
  field_name: z.string(),
  field_value: z.string(),
  evidence_url: z.string(),
  status: reviewStatus,
  points: z.number(),
  cherry: z.number(),
  submitted_at: z.string(),
  reviewed_at: z.string().nullable(),
  review_reason: z.string().nullable(),
})
const recordRow = submissions.row.extend({
  payout_status: z.enum(['queued', 'released', 'paid']).nullable(),
  pay_on: z.string().nullable(),
  paid_at: z.string().nullable(),
})

const columns = sql.fragment`${submissions.listOf('s')}, p.status AS payout_status, p.pay_on, p.paid_at`

/** Returns a submission for its miner, who reads a released payout as queued until the ledger has booked it. */
function toRecord({ seq: _seq, payout_status, pay_on, paid_at, ...rest }: z.output<typeof recordRow>): Submission {
  return {
    ...rest,
    payout:
      payout_status === null || pay_on === null
        ? null
        : { status: payout_status === 'paid' ? 'paid' : 'queued', pay_on, paid_at },
  }
}

export interface NewSubmission {
  readonly id: string
  readonly field_name: string
  readonly field_value: string
  readonly evidence_url: string
  readonly points: number
  readonly cherry: number
  readonly checks: readonly Check[]
}

interface Origin {
  readonly account_id: number
  readonly wallet: string | null
  readonly token_id: string
  readonly exchange: string
  readonly symbol: string
  readonly base: string
  readonly price_version: number
}

const fieldNameRow = z.object({ field_name: z.string() })

/**
 * Inserts the entries whose fields have no pending submission and returns their fields. Inserts rows by field name, so
 * that two submits of the same fields wait for each other instead of deadlocking.
 */
export async function insertSubmissions(
  tx: Tx,
  origin: Origin,
  entries: readonly NewSubmission[],
  now: Date,
): Promise<readonly string[]> {
  const rows = entries.toSorted((a, b) => (a.field_name < b.field_name ? -1 : 1))
  const inserted = await tx.any(sql.type(fieldNameRow)`
    INSERT INTO submission (id, account_id, wallet, token_id, exchange, symbol, base, field_name, field_value, evidence_url,
      points, cherry, price_version, checks, submitted_at)
    SELECT e.id, ${origin.account_id}, ${origin.wallet}, ${origin.token_id}, ${origin.exchange}, ${origin.symbol}, ${origin.base},
      e.field_name, e.field_value, e.evidence_url, e.points, e.cherry, ${origin.price_version}, e.checks, ${now.toISOString()}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS e (id text, field_name text, field_value text, evidence_url text, points int, cherry bigint, checks jsonb)
    ON CONFLICT (token_id, field_name) WHERE status = 'pending' DO NOTHING
    RETURNING field_name`)
  await tx.query(sql.unsafe`
    INSERT INTO evidence (submission_id, next_at)
    SELECT id, ${now.toISOString()}::timestamptz FROM submission WHERE id = ANY(${sql.array(
      rows.map((row) => row.id),
      'text',
    )})`)
  return inserted.map((row) => row.field_name)
}

/** Returns a page of submissions, newest first; `before` is the `seq` that the previous page ended with. */
export async function listSubmissions(
  db: Db,
  query: { accountId: number; status: Submission['status'] | null; before: number | null; limit: number },
): Promise<{ items: Submission[]; next: number | null }> {
  const rows = await db.any(sql.type(recordRow)`
    SELECT ${columns} FROM submission s LEFT JOIN payout p ON p.submission_id = s.id
    WHERE s.account_id = ${query.accountId} AND (${query.status}::text IS NULL OR s.status = ${query.status})
      AND (${query.before}::bigint IS NULL OR s.seq < ${query.before})
    ORDER BY s.seq DESC LIMIT ${query.limit + 1}`)
  const page = rows.slice(0, query.limit)
  return { items: page.map(toRecord), next: rows.length > query.limit ? (page.at(-1)?.seq ?? null) : null }
}

export async function readSubmission(db: Db, id: string): Promise<Submission> {
  return toRecord(
    await db.one(sql.type(recordRow)`
    SELECT ${columns} FROM submission s LEFT JOIN payout p ON p.submission_id = s.id WHERE s.id = ${id}`),
  )
}

const reviewed = table('submission', {
  account_id: z.number(),
  wallet: z.string().nullable(),
  token_id: z.string(),
  base: z.string(),
  field_name: z.string(),
  field_value: z.string(),
  evidence_url: z.string(),
  points: z.number(),
  cherry: z.number(),
  status: reviewStatus,
})
export type ReviewedSubmission = RowOf<typeof reviewed>

export function findSubmission(db: Db, id: string): Promise<ReviewedSubmission | null> {
  return db.maybeOne(sql.type(reviewed.row)`SELECT ${reviewed.list} FROM submission WHERE id = ${id}`)
}

/** Locks a submission. Lock the miner's row first. */
export function lockSubmission(tx: Tx, id: string): Promise<ReviewedSubmission> {
  return tx.one(sql.type(reviewed.row)`SELECT ${reviewed.list} FROM submission WHERE id = ${id} FOR UPDATE`)
}

export async function closeSubmission(
  tx: Tx,
  id: string,
  status: 'approved' | 'rejected',
  reason: string | null,
  at: Date,
): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE submission SET status = ${status}, reviewed_at = ${at.toISOString()}, review_reason = ${reason} WHERE id = ${id} AND status = 'pending'`)
  await tx.query(sql.unsafe`UPDATE evidence SET next_at = NULL WHERE submission_id = ${id}`)
}

const lapsedRow = z.object({ id: z.string(), account_id: z.number(), token_id: z.string(), field_name: z.string() })

/** Closes up to `max` pending entries submitted before `before`, oldest first; skips entries that a review has locked. */
export async function lapse(
  tx: Tx,
  before: Date,
  reason: string,
  max: number,
): Promise<readonly z.output<typeof lapsedRow>[]> {
  const lapsed = await tx.any(sql.type(lapsedRow)`
    UPDATE submission SET status = 'rejected', review_reason = ${reason}
    WHERE id IN (SELECT id FROM submission WHERE status = 'pending' AND submitted_at <= ${before.toISOString()}
      ORDER BY submitted_at LIMIT ${max} FOR UPDATE SKIP LOCKED)
    RETURNING id, account_id, token_id, field_name`)
  await tx.query(
    sql.unsafe`UPDATE evidence SET next_at = NULL WHERE submission_id = ANY(${sql.array(
      lapsed.map((row) => row.id),
      'text',
    )})`,
  )
  return lapsed
}
