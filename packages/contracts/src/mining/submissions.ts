import { event, job, operation, setting } from '@svc/contract'
import { z } from 'zod'
import {
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
  strangersText,
} from '../common.ts'
import { check, fieldName, fieldValue, points, reviewStatus, submission, submissionId } from './fields.ts'
import { miningRefusals as r } from './refusals.ts'

const listedField = z.object({
  field: fieldName,
  points,
  cherry_on_approval: cherry,
  cherry: cherry.meta({ deprecated: true, description: 'Alias of cherry_on_approval' }),
  current_value: strangersText(2000).nullable(),
  pending: z.boolean(),
})

/** Fields that can be mined, and submits of their values. */
export const submissionOperations = {
  listFields: operation({
    summary: 'List the metadata fields of a pair, with what you would earn for each',
    description:
      'Returns all fields by group, with the approved value and the Cherry that an approval pays. Totals count the fields without an approved value.',
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
    deprecated: {
      since: '2026-11-22',
      sunset: '2027-11-22',
      successor: '/agent/mining/fields/{exchange}/{symbol}',
      members: { total_cherry: 'total_cherry_on_approval', cherry: 'cherry_on_approval' },
    },
    http: 'GET /agent/mining/fields/{exchange}/{symbol}',
    tool: 'mining_fields',
    toolTitle: 'Mineable fields of a pair',
  }),
  submitMetadata: operation({
    summary: 'Submit metadata of a token with evidence, to be reviewed and paid in Cherry',
    description:
      'Stores all entries or none. With dry_run it stores nothing and returns 200 with the machine checks and what an approval would pay. ' +
      'Values: blockchain, token_standard, category and jurisdiction (ISO 3166-1 alpha-2) are words of a list, which the refusal names; ' +
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
            field_name: z.string().max(200).meta({ description: 'A field of the pair' }),
            field_value: z.string().max(4000).meta({ description: 'Its value' }),
            evidence_url: z.string().max(4000).meta({ description: 'Public https URL' }),
          }),
        )
        .min(1)
        .max(30)
        .meta({
          description: 'Fields with their values',
          example: [
            { field_name: 'website', field_value: 'https://example.com/', evidence_url: 'https://example.com/about' },
          ],
        }),
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
    toolTitle: 'Submit token metadata',
    idempotent: true,
  }),
  listSubmissions: operation({
    summary: 'List your submissions with their review status and payout',
    auth: 'account',
    input: z.strictObject({
      limit: queryInt(1, 200, 50),
      status: reviewStatus.optional().meta({ description: 'Only submissions with this status' }),
      cursor: cursor.optional(),
    }),
    success: { 200: z.object({ items: z.array(submission).max(200), next_cursor: z.string().max(200).nullable() }) },
    refusals: [common.invalidRequest],
    http: 'GET /agent/mining/submissions',
    limit: 'account',
    tool: 'mining_submissions',
    toolTitle: 'Your submissions',
  }),
}

export const submissionEvents = {
  fieldVerified: event({
    summary: 'A metadata field of a token has a new approved value',
    payload: z.object({
      token_id: tokenId,
      field_name: fieldName,
      field_value: fieldValue,
      evidence_url: z.string().max(2048),
      submission_id: submissionId,
      verified_at: instant,
    }),
  }),
}

export const evidenceJobs = {
  checkEvidence: job({
    summary: 'Fetch the evidence pages of new submissions for the reviewer',
    everyMs: 10_000,
    wokenBy: ['submitMetadata'],
    max: 8,
    budgetSec: 60,
  }),
}

export const evidenceSettings = {
  evidenceTimeoutMs: setting({
    env: 'SVC_MINING_EVIDENCE_TIMEOUT_MS',
    schema: z.coerce.number().int().min(100).max(60_000),
    default: '8000',
    doc: 'Milliseconds that one evidence check may take, redirects included.',
  }),
  evidenceMaxBytes: setting({
    env: 'SVC_MINING_EVIDENCE_MAX_BYTES',
    schema: z.coerce.number().int().min(1024).max(16_777_216),
    default: '1048576',
    doc: 'Most bytes of an evidence page that are read.',
  }),
}
