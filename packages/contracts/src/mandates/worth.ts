import { job, operation } from '@svc/contract'
import { z } from 'zod'
import { instant, okTrue } from '../common.ts'
import { address, chainId, count, mandateState, publicId, usdc } from './fields.ts'
import { unknownMandate } from './refusals.ts'

/** Why a mark was withheld. */
const withheldReason = z
  .string()
  .regex(/^[a-z0-9_]{1,60}$/)
  .max(60)

/** Most positions of one mark; the largest count. */
export const MARKED_POSITIONS_MAX = 8

const markedPosition = z.object({
  asset: z.string().max(32),
  units: usdc.meta({ description: 'Size, at most 6 decimals' }),
  worth_usdc: usdc,
})

const worthFigures = {
  at: instant,
  worth_usdc: usdc.nullable().meta({ description: 'Null if it was withheld' }),
  vault_usdc: usdc.meta({ description: 'USDC of the vault' }),
  unbooked_usdc: usdc.nullable().meta({
    description:
      'Part of vault_usdc that was sent to the address of the vault and is not in its books, because it is not recognised yet or exceeds the budget. Null if unknown',
  }),
  positions_usdc: usdc
    .nullable()
    .meta({ description: 'What the venues would pay for all positions; null if a position has no price' }),
  leg_usdc: usdc.nullable().meta({ description: 'Null for a mandate without a leg' }),
  source: z.enum(['keeper', 'poller']),
  block_number: count,
  withheld_reason: withheldReason.nullable(),
  positions: z.array(markedPosition).max(MARKED_POSITIONS_MAX).nullable().optional().meta({
    description: 'The largest positions of the vault; null while one has no price',
  }),
}
const worthRow = z
  // A keeper of an earlier version does not send unbooked_usdc and drawn_usdc.
  .object({
    ...worthFigures,
    unbooked_usdc: worthFigures.unbooked_usdc.default(null),
    drawn_usdc: usdc.nullable().default(null).meta({
      description:
        'Leg money that the owner took out of the account, which worth_usdc has no longer and the result of the mandate has; null if unknown',
    }),
  })
  .refine(
    (row) => (row.worth_usdc === null) === (row.withheld_reason !== null),
    'a row has a worth or a withheld_reason',
  )

/** Operations on worth over time, and on the workers that measure it. */
export const worthOperations = {
  storeWorth: operation({
    summary: 'Store marks of mandates',
    description:
      'A row that is already stored for its mandate and time stays unchanged. A row whose block a reorganisation has replaced is not stored.',
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
    summary: 'Record that a worker ran, and whether it acts',
    description: 'Which clauses are in force follows from the runs of workers, not from settings of other processes.',
    auth: 'service',
    callers: ['keeper', 'hl-leg'],
    input: z.strictObject({
      worker: z
        .enum(['mark', 'stopLine'])
        .meta({ description: 'mark is a worker of the keeper, stopLine one of hl-leg' }),
      live: z.boolean().meta({ description: 'False in a dry run' }),
      every_sec: z.int().min(1).max(86_400),
    }),
    success: { 200: z.object({ ok: okTrue }) },
  }),
  listVaultsToMark: operation({
    summary: 'List the vaults whose worth the keeper marks',
    description:
      'The order is fixed. A closed mandate is listed until a row after its closing is stored, so that its series ends with the remaining worth.',
    auth: 'service',
    callers: ['keeper'],
    input: z.strictObject({
      after: publicId.optional().meta({ description: 'Last mandate of the previous page' }),
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
    summary: 'Read the worth over time of a mandate that you own or work on',
    description:
      'Rows are as stored, oldest first; the window all has the closing row of each UTC day. Rows of blocks that a reorganisation replaced are removed once it is noticed.',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/worth-series',
    tool: 'mandate_worth',
    toolTitle: 'Worth of a mandate',
    input: z.strictObject({
      public_id: publicId,
      window: z.enum(['24h', '7d', '30d', 'all']).default('7d').meta({ description: 'How far back' }),
    }),
    success: {
      200: z.object({
        public_id: publicId,
        window: z.string().max(4),
        items: z.array(z.object(worthFigures)).max(5000),
      }),
    },
    refusals: [unknownMandate],
  }),
} as const

/** Jobs on worth. */
export const worthJobs = {
  forgetWorth: job({
    summary: 'Delete marks older than 45 days, except those from which the Hall is computed',
    everyMs: 600_000,
    max: 10_000,
    budgetSec: 30,
  }),
} as const
