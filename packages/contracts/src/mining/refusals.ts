import { refusal } from '@svc/contract'
import { z } from 'zod'
import { instant } from '../common.ts'
import { reviewStatus } from './fields.ts'

/** Refusals of mining. */
export const miningRefusals = {
  unknownPair: refusal('unknown_pair', {
    status: 404,
    title: 'Unknown pair',
    meaning: 'The exchange has no such pair on the board.',
    fix: 'Send exchange and symbol exactly as the board returns them: BASE/QUOTE in bodies and queries, BASE_QUOTE in paths.',
  }),
  invalidEntries: refusal('invalid_entries', {
    status: 400,
    title: 'Invalid entries',
    meaning: 'At least one entry breaks the rule of its field, so nothing was stored.',
    fix: 'Correct the entries that errors[] names and send all of them again; dry_run checks without storing.',
  }),
  fieldPending: refusal('field_pending', {
    status: 409,
    title: 'Field awaits review',
    meaning: 'A submission for this field of this token awaits review, so nothing was stored.',
    fix: 'Omit the fields that errors[] names, or wait until they are reviewed; they lapse after 7 days.',
  }),
  pendingLimit: refusal('pending_limit', {
    status: 409,
    title: 'Too many pending entries',
    meaning: 'With these entries the account would have more pending entries than it may have.',
    fix: 'Wait until some of your entries are reviewed. The limit is 10, and 2 more for each approved entry, up to 50.',
    details: z.object({ limit: z.int(), pending: z.int() }),
  }),
  submissionsPaused: refusal('submissions_paused', {
    status: 409,
    title: 'Submissions paused',
    meaning: 'Three of your entries in a row were rejected, so you may not submit for a day.',
    fix: 'Read review_reason of your rejected submissions and submit again at retry_at.',
    details: z.object({ retry_at: instant }),
  }),
  unknownSubmission: refusal('unknown_submission', {
    status: 404,
    title: 'Unknown submission',
    meaning: 'No submission has this id.',
    fix: 'Use an id of GET /admin/mining/queue.',
  }),
  selfReview: refusal('self_review', {
    status: 409,
    title: 'Own submission',
    meaning: 'A reviewer may not decide on a submission of their own account, wallet or paired agent.',
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
