import { operation, storedFile } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, instant } from '../common.ts'
import { count, mandateState, publicId, signedUsdc, usdc } from './fields.ts'
import { recordHead, refusals7d } from './record.ts'
import { unknownMandate, wrongState } from './refusals.ts'

const week = z
  .string()
  .regex(/^\d{4}-W(?:0[1-9]|[1-4]\d|5[0-3])$/, 'write an ISO week such as 2026-W47')
  .max(8)
  .meta({ description: 'ISO week, Monday to Sunday in UTC; default the present one', example: '2026-W47' })
const format = z
  .enum(['json', 'pdf'])
  .default('json')
  .meta({ description: 'pdf gives the file, as Accept: application/pdf does' })

const figures = {
  opening_worth_usdc: usdc.nullable().meta({
    description:
      'Newest mark before the week that was not withheld; "0" before the first event of the vault. Null when there is none, or money came or went after it: a mark from before the last deposit or withdrawal is not used',
  }),
  closing_worth_usdc: usdc.nullable().meta({
    description:
      'By the same rule, the newest mark before the end of the week, or so far; "0" while nothing was ever paid in',
  }),
  deposits_usdc: usdc,
  withdrawals_usdc: usdc,
  unbooked_usdc: signedUsdc.nullable().meta({
    description:
      'USDC that was sent to the address of the vault and is not in its books: its change over the week, with what of it was withdrawn. No profit; null while a worth is unknown',
  }),
  trades: count.meta({ description: 'Executed calls' }),
  spent_usdc: usdc,
  received_usdc: usdc,
  fees_usdc: usdc.meta({ description: 'Fee that the vault took' }),
  profit_usdc: signedUsdc.nullable().meta({
    description:
      'closing - opening - deposits + withdrawals - unbooked, less the fees that were taken. A fee is taken of realised gain when money is withdrawn or the mandate is settled, so the gain of open positions is in here whole. Null while a worth is unknown.',
  }),
  refusals: refusals7d,
  approvals: z.object({ requested: count, approved: count, declined: count, used: count, expired: count }),
  violations: count,
}

/** Statement of one mandate over one week. */
export const statement = z
  .object({
    public_id: publicId,
    name: z.string().max(80),
    state: mandateState,
    week: z.string().max(8),
    from: instant,
    to: instant,
    complete: z.boolean().meta({ description: 'The week is over' }),
    ...figures,
    days: z.object({
      counted: z.int().min(0).max(7).meta({ description: 'Days of the week with a vault' }),
      inside_limits: z.int().min(0).max(7).meta({ description: 'Of these, days without a violation' }),
    }),
    record_head: recordHead.meta({ description: 'Newest entry of the record within the week' }),
  })
  .meta({ title: 'MandateStatement' })
export type Statement = z.output<typeof statement>

/** Statement of all mandates of an owner over one week. */
export const ownStatement = z
  .object({
    owner_id: accountId,
    week: z.string().max(8),
    from: instant,
    to: instant,
    complete: z.boolean(),
    items: z.array(statement).max(200),
    omitted: count.meta({ description: 'Mandates beyond the 200 newest, in no total' }),
    totals: z.object(figures).meta({ description: 'Null where one of the items is unknown' }),
  })
  .meta({ title: 'OwnStatement' })
export type OwnStatement = z.output<typeof ownStatement>

const file = z.object({ file: storedFile })

/** Weekly statements. */
export const statementOperations = {
  readStatement: operation({
    summary: 'Read the weekly statement of a mandate',
    auth: 'owner',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/statement',
    file: 'application/pdf',
    whenFileAccepted: { format: 'pdf' },
    timeoutMs: 20_000,
    input: z.strictObject({ public_id: publicId, week: week.optional(), format }),
    success: { 200: z.union([file, statement]) },
    refusals: [common.invalidRequest, unknownMandate, wrongState],
  }),
  readOwnStatement: operation({
    summary: 'Read the weekly statement of all your mandates but drafts',
    auth: 'owner',
    limit: 'hub_read',
    http: 'GET /hub/me/statement',
    file: 'application/pdf',
    whenFileAccepted: { format: 'pdf' },
    timeoutMs: 20_000,
    input: z.strictObject({ week: week.optional(), format }),
    success: { 200: z.union([file, ownStatement]) },
    refusals: [common.invalidRequest],
  }),
} as const
