import { sql, type Db, type Pool } from '@svc/postgres'
import { z } from 'zod'

const itemRow = z.object({
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
})
export type ReportRow = z.output<typeof itemRow>

const columns = sql.fragment`report_id, seq, exchange, symbol, lang, version, status, pages, bytes, created_at, sha256,
  attempts`

export interface NewReport {
  readonly reportId: string
  readonly accountId: number
  readonly exchange: string
  readonly symbol: string
  readonly lang: 'en' | 'ko'
  readonly version: 'v1' | 'v2'
  /** Compressed. */
  readonly inputs: Buffer
}

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
    const row = await tx.one(sql.type(itemRow)`
      INSERT INTO report (report_id, account_id, exchange, symbol, lang, version, status, inputs, lease_until, created_at)
      VALUES (${report.reportId}, ${report.accountId}, ${report.exchange}, ${report.symbol}, ${report.lang}, ${report.version},
        'generating', ${sql.binary(report.inputs)}, ${rules.leaseUntil.toISOString()}, ${rules.now.toISOString()})
      ON CONFLICT (report_id) DO UPDATE SET status = 'generating', inputs = excluded.inputs, attempts = 1,
        lease_until = excluded.lease_until, created_at = excluded.created_at
      RETURNING ${columns}`)
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
  return db.maybeOne(sql.type(itemRow)`
    UPDATE report SET status = 'ready', inputs = NULL, pages = ${file.pages}, bytes = ${file.bytes}, sha256 = ${file.sha256}
    WHERE report_id = ${reportId} AND status = 'generating' AND attempts = ${attempt}
    RETURNING ${columns}`)
}

/** Marks a report as failed; it no longer counts against the allowance. */
export async function failReport(db: Db, reportId: string, attempt: number): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE report SET status = 'failed', inputs = NULL
    WHERE report_id = ${reportId} AND status = 'generating' AND attempts = ${attempt}`)
}

const unfinishedRow = z.object({ report_id: z.string(), attempts: z.number(), inputs: z.instanceof(Buffer) })
export type UnfinishedReport = z.output<typeof unfinishedRow>

/** Takes over reports whose lease has ended, oldest first, each as a new attempt; skips rows that another process has locked. */
export async function takeUnfinished(
  db: Db,
  now: Date,
  leaseUntil: Date,
  max: number,
): Promise<readonly UnfinishedReport[]> {
  return db.any(sql.type(unfinishedRow)`
    UPDATE report SET attempts = attempts + 1, lease_until = ${leaseUntil.toISOString()}
    WHERE report_id IN (
      SELECT report_id FROM report WHERE status = 'generating' AND lease_until <= ${now.toISOString()}
      ORDER BY lease_until LIMIT ${max} FOR UPDATE SKIP LOCKED)
    RETURNING report_id, attempts, inputs`)
}

/** Returns a report of this account; null for an unknown id and for a report of another account. */
export async function findReport(db: Db, accountId: number, reportId: string): Promise<ReportRow | null> {
  return db.maybeOne(sql.type(itemRow)`
    SELECT ${columns} FROM report WHERE report_id = ${reportId} AND account_id = ${accountId}`)
}

/** Returns reports of an account about a pair, newest first, below the number `before`. */
export async function listReports(
  db: Db,
  of: { readonly accountId: number; readonly exchange: string; readonly symbol: string },
  before: number,
  limit: number,
): Promise<readonly ReportRow[]> {
  return db.any(sql.type(itemRow)`
    SELECT ${columns} FROM report
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
