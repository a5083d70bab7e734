import { asAgent, asAgentRefusals } from './research.ts'
import { job, operation, refusal, setting, storedFile } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, cursor, exchange, instant, okTrue, queryInt, symbol } from '../common.ts'
import { notATarget } from '../market-data/research.ts'
import { miningRefusals } from '../mining/refusals.ts'

/** Fewest scans with a usable book that a report requires. */
export const REPORT_SCANS_MIN = 2
/** Days of data in a report. */
export const REPORT_DAYS = 21
/** How long a report and its file are kept. */
export const REPORT_KEPT_MS = 365 * 86_400_000

const count = z.int().min(0).max(1_000_000)

const reportId = z
  .string()
  .regex(/^rpt_[0-9a-f]{32}$/, 'use a report_id of POST /reports/pair_pdf or GET /reports')
  .max(36)
  .meta({ description: 'Report id', example: 'rpt_0193a1b2c3d4e5f60718293a4b5c6d7e' })
const language = z.enum(['en', 'ko']).meta({ description: 'Language of the report', example: 'ko' })
const version = z.enum(['v1', 'v2']).meta({
  description: 'v1: summary on one page; v2: with factor breakdown, microbursts, peer percentiles and data health',
})

/** A report as its account reads it. */
export const reportItem = z
  .object({
    report_id: reportId,
    exchange,
    symbol,
    lang: language,
    version,
    status: z.enum(['generating', 'ready', 'failed']),
    pages: z.int().min(1).max(100).nullable().meta({ description: 'Null until the report is ready' }),
    bytes: z.int().min(1).nullable(),
    created_at: instant,
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .max(64)
      .nullable(),
  })
  .meta({ title: 'Report' })
export type ReportItem = z.output<typeof reportItem>

const allowance = z
  .object({ limit: count, used: count, resets_at: instant })
  .meta({ description: 'PDF reports of the UTC month; failed reports do not count' })

/** Refusals of research and reports. */
export const reportRefusals = {
  notEnoughData: refusal('not_enough_data', {
    status: 409,
    title: 'Not enough data',
    meaning: 'The pair has not been scanned often enough for a report.',
    fix: 'Generate the report at expected_at; GET /research/pair returns what is known until then.',
    details: z.object({
      missing: z
        .array(z.object({ what: z.enum(['scans']), have: count, need: count }))
        .max(5)
        .meta({
          description: 'What the report requires, how much of it exists (have) and how much is required (need)',
        }),
      expected_at: instant
        .nullable()
        .meta({ description: 'When enough data is expected; null while scanning is paused' }),
    }),
  }),
  pdfLimit: refusal('pdf_limit', {
    status: 403,
    title: 'Report allowance used up',
    meaning: 'The account has generated as many reports in this UTC month as its tier includes.',
    fix: 'Wait until resets_at, or subscribe to a higher tier. Reports that are ready can still be downloaded.',
    details: z.object({ limit: count, used: count, resets_at: instant }),
  }),
  unknownReport: refusal('unknown_report', {
    status: 404,
    title: 'Unknown report',
    meaning: 'You have no report with this id.',
    fix: 'Use a report_id of GET /reports?exchange=&symbol=.',
  }),
  reportFailed: refusal('report_failed', {
    status: 409,
    title: 'Report failed',
    meaning: 'The report could not be generated; it does not count against the allowance.',
    fix: 'Generate it again with POST /reports/pair_pdf.',
  }),
} as const

/** PDF reports of targets. */
export const reportOperations = {
  makeReport: operation({
    summary: 'Generate a PDF report about one of your targets',
    description:
      'Waits up to 10 s for the file. If the report takes longer, the answer is 202 and the report becomes ready without another call. The same data in the same language and version is the same report and counts once.',
    auth: 'account',
    tier: 1,
    http: 'POST /reports/pair_pdf',
    tool: 'make_report',
    toolTitle: 'Make a PDF report',
    task: { readBy: 'readReport', id: 'report_id', keptMs: REPORT_KEPT_MS },
    placement: 'body-or-query',
    idempotent: true,
    timeoutMs: 15_000,
    input: z.strictObject({ exchange, symbol, lang: language.default('en'), version: version.default('v1') }),
    success: {
      200: z.object({ ok: okTrue, ...reportItem.shape, allowance }).meta({ description: 'The report existed already' }),
      201: z.object({ ok: okTrue, ...reportItem.shape, allowance }),
      202: z.object({ ok: okTrue, ...reportItem.shape, allowance }),
    },
    refusals: [
      common.invalidRequest,
      miningRefusals.unknownPair,
      notATarget,
      reportRefusals.notEnoughData,
      reportRefusals.pdfLimit,
    ],
  }),
  listReports: operation({
    summary: 'List your reports about a pair, newest first',
    auth: 'account',
    tier: 1,
    tierOfAgent: 'agent_id',
    http: 'GET /reports',
    tool: 'reports',
    toolTitle: 'Your reports',
    input: z.strictObject({ exchange, symbol, limit: queryInt(1, 200, 50), cursor: cursor.optional(), ...asAgent }),
    success: {
      200: z.object({ items: z.array(reportItem).max(200), next_cursor: cursor.nullable() }),
    },
    refusals: [common.invalidRequest, miningRefusals.unknownPair, ...asAgentRefusals],
  }),
  readReport: operation({
    summary: 'Read the state of one of your reports',
    description:
      'The answer is that of POST /reports/pair_pdf: 202 while the report is being generated, 200 once it is ready.',
    auth: 'account',
    tier: 1,
    http: 'GET /reports/{report_id}/state',
    tool: 'report_state',
    input: z.strictObject({ report_id: reportId }),
    success: {
      200: z.object({ ok: okTrue, ...reportItem.shape, allowance }),
      202: z
        .object({ ok: okTrue, ...reportItem.shape, allowance })
        .meta({ description: 'The report is still being generated' }),
    },
    refusals: [common.invalidRequest, reportRefusals.unknownReport, reportRefusals.reportFailed],
  }),
  downloadReport: operation({
    summary: 'Download one of your reports as PDF',
    auth: 'account',
    tier: 1,
    tierOfAgent: 'agent_id',
    http: 'GET /reports/{report_id}',
    resource: true,
    file: 'application/pdf',
    input: z.strictObject({ report_id: reportId, ...asAgent }),
    success: {
      200: z.object({ file: storedFile }),
      202: reportItem.meta({ description: 'The report is still being generated' }),
    },
    refusals: [common.invalidRequest, reportRefusals.unknownReport, reportRefusals.reportFailed, ...asAgentRefusals],
  }),
  countReports: operation({
    summary: 'Count the reports that an account has generated in the UTC month',
    auth: 'service',
    callers: ['subscriptions'],
    input: z.strictObject({ account_id: accountId }),
    success: { 200: z.object({ used: count }) },
  }),
}

export const reportJobs = {
  finishReports: job({
    summary: 'Generate reports that a process left unfinished or whose file was lost',
    everyMs: 5_000,
    max: 10,
    budgetSec: 60,
  }),
  forgetReports: job({
    summary: 'Delete reports and their files after a year',
    everyMs: 3_600_000,
    max: 500,
    budgetSec: 60,
  }),
  keepInputs: job({
    summary: 'Store the inputs of reports that an earlier release made, so that their files can be made again',
    everyMs: 60_000,
    max: 50,
    budgetSec: 50,
  }),
}

export const reportSettings = {
  waitMs: setting({
    env: 'SVC_REPORT_WAIT_MS',
    schema: z.coerce.number().int().min(0).max(10_000),
    default: '10000',
    doc: 'Milliseconds that POST /reports/pair_pdf waits for the file before it answers 202.',
  }),
}
