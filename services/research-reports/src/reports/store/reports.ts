import { instant, sql, table, type Db, type Pool, type RowOf } from '@svc/postgres'
import { z } from 'zod'

const reports = table('report', {
  report_id: z.string(),
  seq: z.number(),
  exchange: z.string(),
  symbol: z.string(),
  lang: z.enum(['en', 'ko']),
  version: z.enum(['v1', 'v2']),
  status: z.enum(['generating', 'ready', 'failed']),
  pages: z.number().nullable(),
  bytes: z.number().nullable(),
  created_at: z.string(),
  sha256: z.string().nullable(),
  attempts: z.number(),
  spared: z.number(),
})
export type ReportRow = RowOf<typeof reports>

const newReports = table('report', {
  reportId: z.string(),
  accountId: z.number(),
  ...reports.pick('exchange', 'symbol', 'lang', 'version', 'status').columns,
  inputs: z.instanceof(Buffer),
  leaseUntil: instant,
  createdAt: instant,
})
/** A report to be made; its inputs are compressed. */
export type NewReport = Omit<RowOf<typeof newReports>, 'status' | 'leaseUntil' | 'createdAt'>

const usedRow = z.object({ used: z.number() })

/** Counts the reports of an account since `monthStart` that are ready or being generated. */
export async function reportsSince(db: Db, accountId: number, monthStart: Date): Promise<number> {
  return db.oneFirst(sql.type(usedRow)`
    SELECT count(*)::int AS used FROM report
    WHERE account_id = ${accountId} AND created_at >= ${monthStart.toISOString()} AND status <> 'failed'`)
}

/** Outcome of beginning a report. */
export type Begun =
  | { readonly state: 'begun'; readonly row: ReportRow; readonly used: number }
  | { readonly state: 'exists'; readonly row: ReportRow; readonly used: number }
  | { readonly state: 'over_limit'; readonly used: number }

/**
 * Begins a report, within `limit` a month, unless it exists; begins a failed one again. The lock on the account makes its
 * requests sequential, so that the last report of the allowance is used once.
 */
export async function beginReport(
  pool: Pool,
  report: NewReport,
  rules: { readonly limit: number; readonly monthStart: Date; readonly now: Date; readonly leaseUntil: Date },
): Promise<Begun> {
  return pool.transaction(async (tx): Promise<Begun> => {
    await tx.query(
      sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended('research_reports.account', ${report.accountId}))`,
    )
    const used = await reportsSince(tx, report.accountId, rules.monthStart)
    const known = await findReport(tx, report.accountId, report.reportId)
    if (known !== null && known.status !== 'failed') return { state: 'exists', row: known, used }
    if (used >= rules.limit) return { state: 'over_limit', used }
    const { now, leaseUntil } = rules
    const row = await tx.one(sql.type(reports.row)`
      ${newReports.insert({ ...report, status: 'generating', leaseUntil, createdAt: now })}
      ON CONFLICT (report_id) DO UPDATE SET status = 'generating', inputs = excluded.inputs,
        attempts = report.attempts + 1, spared = report.attempts,
        lease_until = excluded.lease_until, created_at = excluded.created_at
      RETURNING ${reports.list}`)
    return { state: 'begun', row, used: used + 1 }
  })
}

export interface StoredReport {
  readonly pages: number
  readonly bytes: number
  readonly sha256: string
}

/** Marks a report ready once its file is stored; returns null if another attempt has taken over. */
export async function finishReport(
  db: Db,
  reportId: string,
  attempt: number,
  file: StoredReport,
): Promise<ReportRow | null> {
  return db.maybeOne(sql.type(reports.row)`
    UPDATE report SET status = 'ready', pages = ${file.pages}, bytes = ${file.bytes}, sha256 = ${file.sha256}
    WHERE report_id = ${reportId} AND status = 'generating' AND attempts = ${attempt}
    RETURNING ${reports.list}`)
}

/**
 * Marks a report as failed; it no longer counts against the allowance. A report that was ready keeps its inputs: its data
 * exist nowhere else, and `makeAgain` may try again from `retryAt` on.
 */
export async function failReport(db: Db, reportId: string, attempt: number, retryAt: Date): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE report SET status = 'failed', inputs = CASE WHEN sha256 IS NULL THEN NULL ELSE inputs END,
      lease_until = ${retryAt.toISOString()}
    WHERE report_id = ${reportId} AND status = 'generating' AND attempts = ${attempt}`)
}

/** Ends an attempt that an outage ended: it does not count, and the next one begins at `nextAt`. */
export async function spareAttempt(db: Db, reportId: string, attempt: number, nextAt: Date): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE report SET spared = spared + 1, lease_until = ${nextAt.toISOString()}
    WHERE report_id = ${reportId} AND status = 'generating' AND attempts = ${attempt}`)
}

/**
 * Leaves a report whose file is lost to the job that makes files, with new attempts; a failed one only if it was ready before
 * and its pause is over. Does nothing if the report has no inputs or changed since `row` was read, so that of many readers
 * one begins.
 */
export async function makeAgain(db: Db, row: Pick<ReportRow, 'report_id' | 'attempts'>, now: Date): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE report SET status = 'generating', spared = attempts, lease_until = ${now.toISOString()}
    WHERE report_id = ${row.report_id} AND attempts = ${row.attempts} AND inputs IS NOT NULL
      AND (status = 'ready' OR (status = 'failed' AND lease_until <= ${now.toISOString()}))`)
}

const unfinished = table('report', {
  ...reports.pick('report_id', 'attempts', 'spared', 'sha256').columns,
  inputs: z.instanceof(Buffer),
})
/** A report to be made; `sha256` is that of its lost file, null if it never had one. */
export type UnfinishedReport = RowOf<typeof unfinished>

/** Takes over reports whose lease has ended, oldest first, each as a new attempt; skips rows that another process has locked. */
export async function takeUnfinished(
  db: Db,
  now: Date,
  leaseUntil: Date,
  max: number,
): Promise<readonly UnfinishedReport[]> {
  return db.any(sql.type(unfinished.row)`
    UPDATE report SET attempts = attempts + 1, lease_until = ${leaseUntil.toISOString()}
    WHERE report_id IN (
      SELECT report_id FROM report WHERE status = 'generating' AND lease_until <= ${now.toISOString()}
      ORDER BY lease_until LIMIT ${max} FOR UPDATE SKIP LOCKED)
    RETURNING ${unfinished.list}`)
}

/** Returns a report of this account; null for an unknown id and for a report of another account. */
export async function findReport(db: Db, accountId: number, reportId: string): Promise<ReportRow | null> {
  return db.maybeOne(sql.type(reports.row)`
    SELECT ${reports.list} FROM report WHERE report_id = ${reportId} AND account_id = ${accountId}`)
}

/** Returns reports of an account about a pair, newest first, below the number `before`. */
export async function listReports(
  db: Db,
  of: { readonly accountId: number; readonly exchange: string; readonly symbol: string },
  before: number,
  limit: number,
): Promise<readonly ReportRow[]> {
  return db.any(sql.type(reports.row)`
    SELECT ${reports.list} FROM report
    WHERE account_id = ${of.accountId} AND exchange = ${of.exchange} AND symbol = ${of.symbol} AND seq < ${before}
    ORDER BY seq DESC LIMIT ${limit}`)
}

const reportIdAttemptsRow = z.object({ report_id: z.string(), attempts: z.number() })

/** Returns reports older than `until`, oldest first. */
export async function reportsBefore(
  db: Db,
  until: Date,
  max: number,
): Promise<readonly { readonly report_id: string; readonly attempts: number }[]> {
  return db.any(sql.type(reportIdAttemptsRow)`
    SELECT report_id, attempts FROM report WHERE created_at < ${until.toISOString()} ORDER BY created_at LIMIT ${max}`)
}

export async function deleteReport(db: Db, reportId: string): Promise<void> {
  await db.query(sql.unsafe`DELETE FROM report WHERE report_id = ${reportId}`)
}

const withoutInputsRow = z.object({
  report_id: z.string(),
  seq: z.number(),
  account_id: z.number(),
  attempts: z.number(),
})

/** Returns ready reports without inputs, which an earlier release finished, in their order after the number `after`. */
export async function reportsWithoutInputs(
  db: Db,
  after: number,
  max: number,
): Promise<readonly z.output<typeof withoutInputsRow>[]> {
  return db.any(sql.type(withoutInputsRow)`
    SELECT report_id, seq, account_id, attempts FROM report
    WHERE status = 'ready' AND inputs IS NULL AND seq > ${after} ORDER BY seq LIMIT ${max}`)
}

/** Stores the inputs of a report that has none. */
export async function keepInputs(db: Db, reportId: string, inputs: Buffer): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE report SET inputs = ${sql.binary(inputs)} WHERE report_id = ${reportId} AND status = 'ready' AND inputs IS NULL`)
}
