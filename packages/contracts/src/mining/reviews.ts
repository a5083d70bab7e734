import { event, job, operation } from '@svc/contract'
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
  tokenId,
  dryRun,
  ranDry,
} from '../common.ts'
import { check, fieldName, fieldValue, finding, points, submission, submissionId } from './fields.ts'
import { miningRefusals as r } from './refusals.ts'

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

/** Reviews of submissions. */
export const reviewOperations = {
  reviewQueue: operation({
    summary: 'List the submissions that await your review',
    description: 'Ordered by the Wilson lower bound of the miner’s share of approvals, then by age.',
    auth: 'reviewer',
    input: z.strictObject({ limit: queryInt(1, 100, 50), cursor: cursor.optional() }),
    success: { 200: z.object({ items: z.array(queueItem).max(100), next_cursor: z.string().max(200).nullable() }) },
    refusals: [common.invalidRequest],
    http: 'GET /admin/mining/queue',
  }),
  reviewSubmission: operation({
    summary: 'Approve or reject a submission, as a reviewer',
    description:
      'A rejection requires a reason, which the miner reads. A contract address is approved once two reviewers have approved it. Repeating your own decision changes nothing.',
    auth: 'reviewer',
    input: z.strictObject({
      id: submissionId,
      decision: z.enum(['approve', 'reject']),
      reason: z.string().max(1000).optional().meta({ description: 'Required for a rejection; the miner reads it' }),
      dry_run: dryRun,
    }),
    success: {
      200: z.object({
        ok: okTrue,
        dry_run: ranDry,
        submission,
        approvals: z.int().min(0).max(2),
        approvals_needed: z.int().min(1).max(2),
      }),
    },
    refusals: [common.invalidRequest, r.unknownSubmission, r.selfReview, r.alreadyReviewed],
    http: 'POST /admin/mining/submissions/{id}/review',
    effect: 'money',
    idempotent: true,
  }),
}

export const reviewEvents = {
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
    summary: 'A submission was rejected by a reviewer, or lapsed without a review',
    payload: z.object({
      submission_id: submissionId,
      account_id: accountId,
      token_id: tokenId,
      field_name: fieldName,
      reason: z.string().max(1000),
      lapsed: z.boolean(),
    }),
  }),
}

export const reviewJobs = {
  lapsePending: job({
    summary: 'Lapse entries that nobody reviewed within 7 days',
    everyMs: 60_000,
    max: 500,
    budgetSec: 30,
  }),
}
