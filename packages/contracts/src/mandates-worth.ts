import { operation, storedFile } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, instant, okTrue } from './common.ts'
import { refusals7d } from './mandates-detail.ts'
import { address, chainId, count, mandateState, publicId, signedUsdc, usdc } from './mandates-fields.ts'
import { recordHead } from './mandates-record-head.ts'
import { unknownMandate, wrongState } from './mandates-refusals.ts'

/** Why a mark was withheld. */
const withheldReason = z
  .string()
  .regex(/^[a-z0-9_]{1,60}$/)
  .max(60)

const worthFigures = {
  at: instant,
  worth_usdc: usdc.nullable().meta({ description: 'Null when it was withheld' }),
  vault_usdc: usdc.meta({ description: 'USDC of the vault' }),
  unbooked_usdc: usdc.nullable().meta({
    description:
      'Part of vault_usdc that was sent to the address of the vault and is not in its books: not yet, or beyond the budget. Null in rows that do not know it',
  }),
  positions_usdc: usdc
    .nullable()
    .meta({ description: 'What the venues would pay for all positions; null when one has no price' }),
  leg_usdc: usdc.nullable().meta({ description: 'Null for a mandate without a leg' }),
  source: z.enum(['keeper', 'poller']),
  block_number: count,
  withheld_reason: withheldReason.nullable(),
}
const worthRow = z
  // A keeper of the version before does not tell what is unbooked.
  .object({ ...worthFigures, unbooked_usdc: worthFigures.unbooked_usdc.default(null) })
  .refine(
    (row) => (row.worth_usdc === null) === (row.withheld_reason !== null),
    'a row has a worth or a withheld_reason',
  )

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

/** Worth over time, and statements. */
export const worthOperations = {
  storeWorth: operation({
    summary: 'Store marks of mandates',
    description:
      'A row of a mandate and time that is there already is left as it is; one whose block a reorganisation replaced since it was measured is not stored.',
    auth: 'service',
    callers: ['keeper'],
    input: z.strictObject({
      rows: z
        .array(z.object({ public_id: publicId, row: worthRow }))
        .min(1)
        .max(500),
    }),
    success: { 200: z.object({ ok: okTrue, stored: count, unknown: z.array(publicId).max(500) }) },
  }),
  noteWorker: operation({
    summary: 'Note that a worker ran, and whether it acts',
    description: 'What is in force follows from what ran, not from what a switch of another process says.',
    auth: 'service',
    callers: ['keeper'],
    input: z.strictObject({
      worker: z.enum(['mark']),
      live: z.boolean().meta({ description: 'False in a dry run' }),
      every_sec: z.int().min(1).max(86_400),
    }),
    success: { 200: z.object({ ok: okTrue }) },
  }),
  listVaultsToMark: operation({
    summary: 'List the vaults of mandates whose worth is followed',
    description:
      'In a fixed order. A closed mandate is followed until a row from after its closing is stored, so that its series ends with what was left.',
    auth: 'service',
    callers: ['keeper'],
    input: z.strictObject({
      after: publicId.optional().meta({ description: 'Last one of the page before' }),
      limit: z.int().min(1).max(100).default(100),
    }),
    success: {
      200: z.object({
        vaults: z
          .array(
            z.object({
              public_id: publicId,
              chain_id: chainId,
              vault: address,
              state: mandateState,
              newest: z
                .object(worthFigures)
                .pick({ at: true, worth_usdc: true, withheld_reason: true })
                .nullable()
                .meta({ description: 'Newest row of the series; null before the first' }),
            }),
          )
          .max(100),
      }),
    },
  }),
  readWorthSeries: operation({
    summary: 'Read the worth of a mandate over time',
    description:
      'Rows as they were stored, oldest first; the window all has the closing row of each UTC day. Rows of blocks that a reorganisation replaced are taken away once it is noticed.',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/worth-series',
    tool: 'mandate_worth',
    input: z.strictObject({ public_id: publicId, window: z.enum(['24h', '7d', '30d', 'all']).default('7d') }),
    success: {
      200: z.object({
        public_id: publicId,
        window: z.string().max(4),
        items: z.array(z.object(worthFigures)).max(5000),
      }),
    },
    refusals: [unknownMandate],
  }),
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
