import { operation, storedFile } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, instant, integerText } from '../common.ts'
import { count, mandateState, marketId, publicId, signedUsdc, txHash, usdc } from './fields.ts'
import { recordHead, refusals7d } from './record.ts'
import { unknownMandate, wrongState } from './refusals.ts'

const week = z
  .string()
  .regex(/^\d{4}-W(?:0[1-9]|[1-4]\d|5[0-3])$/, 'write an ISO week such as 2026-W47')
  .max(8)
  .meta({ description: 'ISO week, Monday to Sunday in UTC; the default is the present week', example: '2026-W47' })
const format = z
  .enum(['json', 'pdf'])
  .default('json')
  .meta({ description: 'pdf returns a file, like Accept: application/pdf' })

const figures = {
  opening_worth_usdc: usdc.nullable().meta({
    description:
      'Newest mark before the week that was not withheld; "0" before the first event of the vault. Null if there is no such mark, or if a deposit or withdrawal followed it',
  }),
  closing_worth_usdc: usdc.nullable().meta({
    description:
      'Newest mark before the end of the week, or before now, by the same rule; "0" if nothing was ever paid in',
  }),
  deposits_usdc: usdc,
  withdrawals_usdc: usdc,
  unbooked_usdc: signedUsdc.nullable().meta({
    description:
      'Change over the week of the USDC that was sent to the address of the vault and is not in its books, including the part that was withdrawn. It is not profit. Null if a worth is unknown',
  }),
  trades: count.meta({ description: 'Executed calls' }),
  spent_usdc: usdc,
  received_usdc: usdc,
  fees_usdc: usdc.meta({ description: 'Fee that the vault charged' }),
  leg_orders: count.meta({ description: 'Orders of the leg that the venue filled, in whole or in part' }),
  leg_filled_usdc: usdc.meta({ description: 'What these orders bought and sold, at their average prices' }),
  leg_fees_usdc: signedUsdc.meta({ description: 'Fees of the venue for these orders; negative for a rebate' }),
  leg_funded_usdc: usdc.meta({ description: 'USDC that went from the vault to the leg' }),
  leg_returned_usdc: usdc.meta({ description: 'USDC that came back from the leg to the vault' }),
  leg_owed_usdc: usdc.optional().meta({ description: 'What a leg that the house ended in the week owed beyond that' }),
  leg_kept_by_owner_usdc: usdc.optional().meta({ description: 'What its owner had moved out of the account' }),
  leg_fee_owed_usdc: usdc.optional().meta({ description: 'Fee that its owner owes on leg_owed_usdc' }),
  closing_leg_usdc: usdc.nullable().meta({
    description: 'Part of closing_worth_usdc that is at the leg; "0" without a leg, null if closing_worth_usdc is null',
  }),
  profit_usdc: signedUsdc.nullable().meta({
    description:
      'closing - opening - deposits + withdrawals - unbooked, after fees that were charged. Fees are charged on realised profit at a withdrawal or the settlement, so gains of open positions are before fees. Null if a worth is unknown.',
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
    complete: z.boolean().meta({ description: 'True if the week is over' }),
    ...figures,
    days: z.object({
      counted: z.int().min(0).max(7).meta({ description: 'Days of the week with a vault' }),
      inside_limits: z.int().min(0).max(7).meta({ description: 'Days without a violation among these' }),
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
    omitted: count.meta({ description: 'Number of mandates beyond the 200 newest; the totals exclude them' }),
    totals: z.object(figures).meta({ description: 'A total is null if a figure of an item is unknown' }),
  })
  .meta({ title: 'OwnStatement' })
export type OwnStatement = z.output<typeof ownStatement>

const file = z.object({ file: storedFile })

/** Most bookings of one answer. */
export const BOOKINGS_MAX = 5_000

const decimal = z.string().max(60)
const booking = z
  .object({
    n: z
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .meta({ description: 'Number in this reading, without gaps; may change when later facts arrive' }),
    at: instant,
    kind: z
      .enum([
        'deposit',
        'withdrawal',
        'settlement',
        'buy',
        'sell',
        'redeem',
        'call',
        'leg_funded',
        'leg_returned',
        'leg_buy',
        'leg_sell',
      ])
      .meta({
        description: 'leg_buy and leg_sell are fills of the leg; call is one that cannot be read from its calldata',
      }),
    market: marketId.nullable(),
    instrument: z.string().max(64).nullable(),
    size: decimal.nullable().meta({ description: 'Units of the instrument; null where the chain does not say it' }),
    price_usdc: decimal.nullable().meta({ description: 'Average price of a fill of the leg' }),
    amount_usdc: signedUsdc
      .nullable()
      .meta({ description: 'What the USDC of the vault changed by; null for fills of the leg, which leave it alone' }),
    value_usdc: usdc.nullable().meta({ description: 'What was bought or sold, before fees' }),
    fee_usdc: signedUsdc.meta({
      description: 'Fee that the agent earned, or that the venue took; negative for a rebate',
    }),
    lot: count.nullable().meta({ description: 'n of the booking that opened what this one opens or closes' }),
    result_usdc: signedUsdc.nullable().meta({
      description: 'Realised by this booking, before fees; of a redemption, by the whole position. Null if unknown',
    }),
    tx_hash: txHash.nullable(),
    order: z.string().max(66).nullable().meta({ description: 'cloid of an order of the leg' }),
  })
  .meta({ title: 'Booking' })
export type Booking = z.output<typeof booking>

/** Operations on weekly statements. */
export const statementOperations = {
  readStatement: operation({
    summary: 'Read the weekly statement of a mandate that you own',
    auth: 'owner',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/statement',
    resource: true,
    file: 'application/pdf',
    whenFileAccepted: { format: 'pdf' },
    timeoutMs: 20_000,
    input: z.strictObject({ public_id: publicId, week: week.optional(), format }),
    success: { 200: z.union([file, statement]) },
    refusals: [common.invalidRequest, unknownMandate, wrongState],
  }),
  readOwnStatement: operation({
    summary: 'Read one weekly statement of all mandates that you own, except drafts',
    auth: 'owner',
    limit: 'hub_read',
    http: 'GET /hub/me/statement',
    resource: true,
    file: 'application/pdf',
    whenFileAccepted: { format: 'pdf' },
    timeoutMs: 20_000,
    input: z.strictObject({ week: week.optional(), format }),
    success: { 200: z.union([file, ownStatement]) },
    refusals: [common.invalidRequest],
  }),
  listBookings: operation({
    summary: 'List deposits, trades with their lots, fees and withdrawals of a mandate that you own, oldest first',
    description:
      'A fill of the leg closes the oldest lots first, with a booking for each. Funding of the venue, fees of the network, and trades that the owner made at the venue itself are not listed.',
    auth: 'owner',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/bookings',
    csv: { list: 'items', head: ['public_id'] },
    timeoutMs: 20_000,
    input: z.strictObject({
      public_id: publicId,
      after: integerText(0, Number.MAX_SAFE_INTEGER)
        .prefault('0')
        .meta({ description: 'n of the last booking of the page before; pages one reading', format: 'int64' }),
    }),
    success: {
      200: z.object({
        public_id: publicId,
        items: z.array(booking).max(BOOKINGS_MAX),
        more: z.boolean().meta({ description: 'True if further bookings follow: repeat with after' }),
      }),
    },
    refusals: [common.invalidRequest, unknownMandate],
  }),
} as const
