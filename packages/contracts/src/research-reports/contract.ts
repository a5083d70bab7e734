import { contract, job, operation, refusal, setting, storedFile } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, cursor, exchange, instant, okTrue, queryInt, symbol, symbolInPath } from '../common.ts'
import { notATarget } from '../market-data/research.ts'
import { miningRefusals } from '../mining/contract.ts'
import { research } from './research.ts'

/** Scans with a usable book from which a report is made. */
export const REPORT_SCANS_MIN = 2
/** Days of data in a report. */
export const REPORT_DAYS = 21

const days = queryInt(1, 90, 21, 'Days of data')
const count = z.int().min(0).max(1_000_000)

const reportId = z
  .string()
  .regex(/^rpt_[0-9a-f]{32}$/, 'use a report_id as POST /reports/pair_pdf and GET /reports return it')
  .max(36)
  .meta({ description: 'Report id', example: 'rpt_0193a1b2c3d4e5f60718293a4b5c6d7e' })
const language = z.enum(['en', 'ko']).meta({ description: 'Language of the report', example: 'ko' })
const version = z.enum(['v1', 'v2']).meta({
  description: 'v1: summary on one page; v2: with factor breakdown, microbursts, peer percentiles and data health',
})

/** A report as its owner sees it. */
export const reportItem = z
  .object({
    report_id: reportId,
    exchange,
    symbol,
    lang: language,
    version,
    status: z.enum(['generating', 'ready', 'failed']),
    pages: z.int().min(1).max(100).nullable().meta({ description: 'Null until it is ready' }),
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
  .meta({ description: 'PDF reports of the UTC month; failed ones do not count' })

/** Refusals of research and reports. */
export const reportRefusals = {
  notEnoughData: refusal('not_enough_data', {
    status: 409,
    title: 'Not enough data',
    meaning: 'The pair has not been scanned often enough for a report.',
    fix: 'Generate it again at expected_at; GET /research/pair shows what there is already.',
    details: z.object({
      missing: z
        .array(z.object({ what: z.enum(['scans']), have: count, need: count }))
        .max(5)
        .meta({ description: 'What a report needs and how much of it there is' }),
      expected_at: instant.nullable().meta({ description: 'When it should be there; null while scanning is paused' }),
    }),
  }),
  pdfLimit: refusal('pdf_limit', {
    status: 403,
    title: 'Report allowance used up',
    meaning: 'The account has generated as many reports in this UTC month as its tier includes.',
    fix: 'Wait until resets_at, or subscribe to a higher tier. Reports that exist can still be downloaded.',
    details: z.object({ limit: count, used: count, resets_at: instant }),
  }),
  unknownReport: refusal('unknown_report', {
    status: 404,
    title: 'Unknown report',
    meaning: 'You have no report with this id.',
    fix: 'Take a report_id from GET /reports?exchange=&symbol=.',
  }),
  reportFailed: refusal('report_failed', {
    status: 409,
    title: 'Report failed',
    meaning: 'Generating this report failed; it does not count against the allowance.',
    fix: 'Generate it again with POST /reports/pair_pdf.',
  }),
} as const

const readResearch = {
  auth: 'account',
  tier: 1,
  success: { 200: research },
  refusals: [common.invalidRequest, miningRefusals.unknownPair, notATarget],
} as const

export const researchReports = contract('research-reports', {
  title: 'Research data and PDF reports of priority targets',
  operations: {
    readPairResearch: operation({
      ...readResearch,
      summary: 'Read the research data of one of your targets',
      description: 'Research v1. Unknown figures are null; a section without data says why in `reason`.',
      http: 'GET /research/pair',
      tool: 'research',
      input: z.strictObject({ exchange, symbol, days }),
    }),
    readResearch: operation({
      ...readResearch,
      summary: 'Read the research data of one of your targets, by path',
      description: 'The same as GET /research/pair, with the pair in the path.',
      http: 'GET /agent/research/{exchange}/{symbol}',
      input: z.strictObject({ exchange, symbol: symbolInPath, days }),
    }),
    makeReport: operation({
      summary: 'Generate the PDF report of one of your targets',
      description:
        'Waits up to 10 s for the file; a report that takes longer is answered with 202 and gets ready by itself. The same data in the same language and version is the same report and does not count again.',
      auth: 'account',
      tier: 1,
      http: 'POST /reports/pair_pdf',
      tool: 'make_report',
      placement: 'body-or-query',
      idempotent: true,
      timeoutMs: 15_000,
      input: z.strictObject({ exchange, symbol, lang: language.default('en'), version: version.default('v1') }),
      success: {
        200: z.object({ ok: okTrue, ...reportItem.shape, allowance }).meta({ description: 'It exists already' }),
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
      summary: 'List your reports of a pair, newest first',
      auth: 'account',
      tier: 1,
      http: 'GET /reports',
      tool: 'reports',
      input: z.strictObject({ exchange, symbol, limit: queryInt(1, 200, 50), cursor: cursor.optional() }),
      success: {
        200: z.object({ items: z.array(reportItem).max(200), next_cursor: cursor.nullable() }),
      },
      refusals: [common.invalidRequest, miningRefusals.unknownPair],
    }),
    downloadReport: operation({
      summary: 'Download a report of yours as PDF',
      auth: 'account',
      tier: 1,
      http: 'GET /reports/{report_id}',
      file: 'application/pdf',
      input: z.strictObject({ report_id: reportId }),
      success: {
        200: z.object({ file: storedFile }),
        202: reportItem.meta({ description: 'It is still being generated' }),
      },
      refusals: [common.invalidRequest, reportRefusals.unknownReport, reportRefusals.reportFailed],
    }),
    countReports: operation({
      summary: 'Tell how many reports an account has generated in the UTC month',
      auth: 'service',
      callers: ['subscriptions'],
      input: z.strictObject({ account_id: accountId }),
      success: { 200: z.object({ used: count }) },
    }),
  },
  jobs: {
    finishReports: job({
      summary: 'Generate again what a process left unfinished',
      everyMs: 5_000,
      max: 10,
      budgetSec: 60,
    }),
    forgetReports: job({
      summary: 'Forget reports and their files after a year',
      everyMs: 3_600_000,
      max: 500,
      budgetSec: 60,
    }),
  },
  settings: {
    waitMs: setting({
      env: 'SVC_REPORT_WAIT_MS',
      schema: z.coerce.number().int().min(0).max(10_000),
      default: '10000',
      doc: 'Milliseconds that POST /reports/pair_pdf waits for the file before it answers 202.',
    }),
  },
  buckets: ['reports'],
})
