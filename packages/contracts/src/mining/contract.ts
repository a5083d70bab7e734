import { contract, event, job, operation, refusal, setting } from '@svc/contract'
import { z } from 'zod'
import {
  accountId,
  cherry,
  common,
  cursor,
  exchange,
  instant,
  okTrue,
  queryInt,
  symbol,
  symbolInPath,
  tokenId,
  utcDay,
} from '../common.ts'

const submissionId = z
  .string()
  .regex(/^sub_[0-9a-f]{32}$/)
  .max(36)
  .meta({ description: 'Submission id', example: 'sub_0193a1b2c3d4e5f60718293a4b5c6d7e' })
const fieldName = z
  .string()
  .min(1)
  .max(64)
  .meta({ title: 'MetadataFieldName', description: 'Metadata field', example: 'contract_address' })
const fieldValue = z.string().max(2000)
const points = z.int().min(0).max(10_000)
const pointPrice = z.int().min(1).max(1000).meta({ description: 'Cherry paid per approved point', example: 5 })
const reviewStatus = z.enum(['pending', 'approved', 'rejected'])

const payout = z.object({ status: z.enum(['paid', 'queued']), pay_on: utcDay, paid_at: instant.nullable() }).meta({
  title: 'Payout',
  description: '`queued` until the ledger has booked the transfer; `pay_on` is the UTC day it is released.',
})

/** One machine check of an entry. `unknown` is never a fail. */
export const check = z
  .object({
    id: z.string().min(1).max(64),
    verdict: z.enum(['pass', 'fail', 'unknown']),
    detail: z.string().max(500),
  })
  .meta({ title: 'MachineCheck' })
export type Check = z.output<typeof check>

/** What the evidence checker saw. It informs the reviewer and never decides. Null means unknown. */
export const finding = z
  .object({
    reachable: z.boolean(),
    status: z.int().min(100).max(599).nullable(),
    value_found: z.boolean().nullable(),
    checked_at: instant,
    reason: z.string().max(200).nullable(),
  })
  .meta({ title: 'EvidenceFinding' })
export type Finding = z.output<typeof finding>

const submission = z
  .object({
    id: submissionId,
    token_id: tokenId,
    field_name: fieldName,
    field_value: fieldValue,
    evidence_url: z.string().max(2048),
    status: reviewStatus,
    points,
    cherry,
    submitted_at: instant,
    reviewed_at: instant.nullable(),
    review_reason: z.string().max(1000).nullable(),
    payout: payout.nullable(),
  })
  .meta({ title: 'Submission' })
export type Submission = z.output<typeof submission>

const queueItem = submission.omit({ status: true, reviewed_at: true, review_reason: true, payout: true }).extend({
  exchange,
  symbol,
  account_id: accountId,
  current_value: fieldValue.nullable(),
  miner: z.object({
    approved: z.int().min(0),
    rejected: z.int().min(0),
    acceptance_lower_bound: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'Wilson lower bound (95 %) of the share of approvals' }),
  }),
  checks: z.array(check).max(20),
  finding: finding.nullable().meta({ description: 'Null until the evidence has been fetched' }),
  approvals: z.int().min(0).max(2),
  approvals_needed: z.int().min(1).max(2),
  lapses_at: instant,
})

const listedField = z.object({
  field: fieldName,
  points,
  cherry_on_approval: cherry,
  cherry: cherry.meta({ deprecated: true, description: 'Alias of cherry_on_approval' }),
  current_value: fieldValue.nullable(),
  pending: z.boolean(),
})

/** Refusals of mining. */
export const miningRefusals = {
  unknownPair: refusal('unknown_pair', {
    status: 404,
    title: 'Unknown pair',
    meaning: 'The exchange has no such pair on the board.',
    fix: 'Take exchange and symbol exactly as the board returns them: BASE/QUOTE in bodies and queries, BASE_QUOTE in paths.',
  }),
  invalidEntries: refusal('invalid_entries', {
    status: 400,
    title: 'Invalid entries',
    meaning: 'At least one entry breaks the rule of its field; nothing was stored.',
    fix: 'Correct the entries that errors[] names and send all of them again; dry_run checks without storing.',
  }),
  fieldPending: refusal('field_pending', {
    status: 409,
    title: 'Field awaits review',
    meaning: 'A submission for this field of this token awaits review; nothing was stored.',
    fix: 'Leave out the fields that errors[] names, or wait until they are reviewed or lapse after 7 days.',
  }),
  pendingLimit: refusal('pending_limit', {
    status: 409,
    title: 'Too many pending entries',
    meaning: 'The account would have more pending entries than it may.',
    fix: 'Wait until some of your entries are reviewed; limit is 10, and 2 more for each approved entry, up to 50.',
    details: z.object({ limit: z.int(), pending: z.int() }),
  }),
  submissionsPaused: refusal('submissions_paused', {
    status: 409,
    title: 'Submissions paused',
    meaning: 'Three of your entries in a row were rejected; submissions rest for a day.',
    fix: 'Read review_reason of your rejected submissions and try again at retry_at.',
    details: z.object({ retry_at: instant }),
  }),
  unknownSubmission: refusal('unknown_submission', {
    status: 404,
    title: 'Unknown submission',
    meaning: 'There is no submission with this id.',
    fix: 'Take an id from GET /admin/mining/queue.',
  }),
  selfReview: refusal('self_review', {
    status: 409,
    title: 'Own submission',
    meaning: 'A reviewer may not decide on a submission of its own account, wallet or paired agent.',
    fix: 'Leave it to another reviewer.',
  }),
  alreadyReviewed: refusal('already_reviewed', {
    status: 409,
    title: 'Already reviewed',
    meaning: 'The submission no longer awaits this decision.',
    fix: 'Read the queue again.',
    details: z.object({ review_status: reviewStatus }),
  }),
} as const

const r = miningRefusals

export const mining = contract('mining', {
  title: 'Token metadata mined by agents, reviewed and paid in Cherry',
  operations: {
    listFields: operation({
      summary: 'List the minable fields of a pair',
      description:
        'All fields by group, with the value that stands today and what an approval pays. Totals count the empty fields.',
      auth: 'open',
      input: z.strictObject({ exchange, symbol: symbolInPath }),
      success: {
        200: z.object({
          token_id: tokenId,
          total_empty: z.int().min(0).max(100),
          total_points: points,
          total_cherry_on_approval: cherry,
          total_cherry: cherry.meta({ deprecated: true, description: 'Alias of total_cherry_on_approval' }),
          groups: z.array(z.object({ key: z.string().min(1).max(32), fields: z.array(listedField).max(50) })).max(20),
        }),
      },
      refusals: [r.unknownPair],
      http: 'GET /agent/mining/fields/{exchange}/{symbol}',
      tool: 'mining_fields',
    }),
    submitMetadata: operation({
      summary: 'Submit metadata with evidence for review',
      description:
        'All or nothing. With dry_run nothing is stored and the answer (200) carries the machine checks and what an approval would pay. ' +
        'Values: blockchain, token_standard, category and jurisdiction (ISO 3166-1 alpha-2) are words of a list that the refusal names; ' +
        'contract_address follows the format of the chain (EIP-55 where the case is mixed), or "native"; links are https URLs; ' +
        'launch_date is YYYY-MM-DD; max_supply is a whole number or "unlimited". Evidence must be a public https URL.',
      auth: 'account',
      scope: 'write',
      input: z.strictObject({
        exchange,
        symbol,
        entries: z
          .array(
            z.strictObject({
              field_name: z.string().max(200).meta({ example: 'website' }),
              field_value: z.string().max(4000).meta({ example: 'https://example.com/' }),
              evidence_url: z
                .string()
                .max(4000)
                .meta({ description: 'Public https URL', example: 'https://example.com/about' }),
            }),
          )
          .min(1)
          .max(30),
        dry_run: z.boolean().default(false).meta({ description: 'Check only, store nothing' }),
      }),
      success: {
        200: z.object({
          ok: okTrue,
          dry_run: okTrue,
          token_id: tokenId,
          entries: z
            .array(
              z.object({ field_name: fieldName, points, cherry_on_approval: cherry, checks: z.array(check).max(20) }),
            )
            .max(30),
          total_points: points,
          total_cherry_on_approval: cherry,
        }),
        202: z.object({
          ok: okTrue,
          submission_ids: z.array(submissionId).max(30),
          total_points: points,
          total_cherry_on_approval: cherry,
        }),
      },
      refusals: [r.unknownPair, r.invalidEntries, r.fieldPending, r.pendingLimit, r.submissionsPaused],
      http: 'POST /agent/mining/submit',
      tool: 'mining_submit',
      idempotent: true,
    }),
    listSubmissions: operation({
      summary: 'List your submissions with their review status',
      auth: 'account',
      input: z.strictObject({
        limit: queryInt(1, 200, 50),
        status: reviewStatus.optional().meta({ description: 'Only submissions with this status' }),
        cursor: cursor.optional(),
      }),
      success: { 200: z.object({ items: z.array(submission).max(200), next_cursor: z.string().max(200).nullable() }) },
      refusals: [common.invalidRequest],
      http: 'GET /agent/mining/submissions',
      tool: 'mining_submissions',
    }),
    miningBalance: operation({
      summary: 'Read your Cherry balance and recent mining rewards',
      auth: 'account',
      input: z.strictObject({}),
      success: {
        200: z.object({
          balance: z.int().min(0).meta({ description: 'Cherry on the ledger now' }),
          queued: cherry.meta({ description: 'Cherry of approved entries not yet booked' }),
          daily_limit: cherry.meta({
            description: 'Cherry paid for mining per UTC day; a larger single reward is paid alone',
          }),
          recent_rewards: z
            .array(
              z.object({
                submission_id: submissionId,
                token_id: tokenId,
                field_name: fieldName,
                points,
                cherry,
                approved_at: instant,
                payout,
              }),
            )
            .max(50),
        }),
      },
      http: 'GET /agent/mining/balance',
      tool: 'mining_balance',
    }),
    reviewQueue: operation({
      summary: 'List submissions that await review',
      description: 'Ordered by the Wilson lower bound of the miner’s acceptance, then by age.',
      auth: 'reviewer',
      input: z.strictObject({ limit: queryInt(1, 100, 50), cursor: cursor.optional() }),
      success: { 200: z.object({ items: z.array(queueItem).max(100), next_cursor: z.string().max(200).nullable() }) },
      refusals: [common.invalidRequest],
      http: 'GET /admin/mining/queue',
    }),
    reviewSubmission: operation({
      summary: 'Approve or reject a submission',
      description:
        'A rejection needs a reason. A contract address is approved once two reviewers have approved it. Repeating your own decision changes nothing.',
      auth: 'reviewer',
      input: z.strictObject({
        id: submissionId,
        decision: z.enum(['approve', 'reject']),
        reason: z.string().max(1000).optional().meta({ description: 'Required for a rejection; the miner reads it' }),
      }),
      success: {
        200: z.object({
          ok: okTrue,
          submission,
          approvals: z.int().min(0).max(2),
          approvals_needed: z.int().min(1).max(2),
        }),
      },
      refusals: [common.invalidRequest, r.unknownSubmission, r.selfReview, r.alreadyReviewed],
      http: 'POST /admin/mining/submissions/{id}/review',
      idempotent: true,
    }),
    readPrices: operation({
      summary: 'Read the posted prices',
      auth: 'open',
      input: z.strictObject({}),
      success: {
        200: z.object({
          payout_point_price: pointPrice,
          tiers: z
            .array(
              z.object({
                tier: z.int().min(0).max(2),
                name: z.string().max(32),
                cherry_per_month: cherry,
                requests_per_day: z.int().min(0),
              }),
            )
            .max(10),
          welcome_cherry: cherry,
          paid_reads: z.array(z.object({ key: z.string().max(64), title: z.string().max(200), cherry })).max(100),
          computed_at: instant,
        }),
      },
      http: 'GET /prices',
      tool: 'prices',
      cacheSec: 5,
    }),
    setPrices: operation({
      summary: 'Post a new payout price',
      description: 'Submissions keep the price that was posted when they were made.',
      auth: 'admin',
      input: z.strictObject({ payout_point_price: pointPrice }),
      success: {
        200: z.object({ ok: okTrue, version: z.int().min(1), payout_point_price: pointPrice, posted_at: instant }),
      },
      http: 'PUT /admin/prices',
      idempotent: true,
    }),
  },
  events: {
    submissionApproved: event({
      summary: 'A submission was approved',
      payload: z.object({
        submission_id: submissionId,
        account_id: accountId,
        token_id: tokenId,
        field_name: fieldName,
        points,
        cherry,
        approved_at: instant,
      }),
    }),
    submissionRejected: event({
      summary: 'A submission was rejected, by a reviewer or by lapse',
      payload: z.object({
        submission_id: submissionId,
        account_id: accountId,
        token_id: tokenId,
        field_name: fieldName,
        reason: z.string().max(1000),
        lapsed: z.boolean(),
      }),
    }),
    fieldVerified: event({
      summary: 'A field of a token has a new approved value',
      payload: z.object({
        token_id: tokenId,
        field_name: fieldName,
        field_value: fieldValue,
        evidence_url: z.string().max(2048),
        submission_id: submissionId,
        verified_at: instant,
      }),
    }),
    payoutReleased: event({
      summary: 'A mining reward is due; the ledger books it once per submission',
      payload: z.object({ submission_id: submissionId, account_id: accountId, cherry, pay_on: utcDay }),
    }),
  },
  consumes: ['subscriptions.cherryMoved'],
  jobs: {
    payoutsOfTheDay: job({
      summary: 'Release the queued payouts that fit the day',
      everyMs: 60_000,
      wokenBy: ['reviewSubmission', 'subscriptions.cherryMoved'],
      max: 500,
      budgetSec: 30,
    }),
    lapsePending: job({
      summary: 'Lapse entries that nobody reviewed for 7 days',
      everyMs: 60_000,
      max: 500,
      budgetSec: 30,
    }),
    checkEvidence: job({
      summary: 'Fetch evidence pages for the reviewer',
      everyMs: 10_000,
      wokenBy: ['submitMetadata'],
      max: 8,
      budgetSec: 60,
    }),
  },
  settings: {
    dailyLimit: setting({
      env: 'SVC_MINING_DAILY_CHERRY_LIMIT',
      schema: z.coerce.number().int().min(1).max(1_000_000_000),
      default: '500',
      doc: 'Cherry paid for mining per account and UTC day; the rest is queued whole to the next day.',
    }),
    evidenceTimeoutMs: setting({
      env: 'SVC_MINING_EVIDENCE_TIMEOUT_MS',
      schema: z.coerce.number().int().min(100).max(60_000),
      default: '8000',
      doc: 'Milliseconds one evidence check may take, redirects included.',
    }),
    evidenceMaxBytes: setting({
      env: 'SVC_MINING_EVIDENCE_MAX_BYTES',
      schema: z.coerce.number().int().min(1024).max(16_777_216),
      default: '1048576',
      doc: 'Bytes of an evidence page that are read.',
    }),
  },
})
