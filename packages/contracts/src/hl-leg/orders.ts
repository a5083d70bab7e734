import { event, job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, givenInstant, instant, okTrue } from '../common.ts'
import { approvalItem, mandateRefuses } from '../mandates/approvals.ts'
import { publicId, signedUsdc, usdc } from '../mandates/fields.ts'
import { unknownMandate } from '../mandates/refusals.ts'
import { mandateUsage } from '../mandates/usage.ts'
import { refusalBlock } from '../mandates/verdict.ts'
import { legSettings } from '../common/leg-settings.ts'
import { cloid, legAmount, legOrderView, legPositionView, legSize, legSlippage } from './order-schemas.ts'
import { legMarketId } from './venue.ts'
import { featureDisabled, legRefusals, notConfigured, venueBudget } from './refusals.ts'

export const wouldFlip = refusal('would_flip', {
  status: 409,
  title: 'The order would turn the position',
  meaning: 'The order is larger than the position on the other side, and would open one on its own side.',
  fix: 'Close first with reduce_only or at most position_size, then open with a second order.',
  details: z.object({ position_size: z.string().max(53) }),
})
export const nothingToClose = refusal('hub_leg_nothing_to_close', {
  sameAs: 'nothing_to_close',
  status: 409,
  title: 'Nothing to close',
  meaning: 'The order only reduces a position, and the account has none on the other side in this market.',
  fix: 'Read the positions with GET /hub/mandates/{public_id}/hl-leg; sell a long position, buy a short one.',
})
export const venueRejected = refusal('venue_rejected', {
  status: 409,
  title: 'The venue rejected the order',
  meaning: "The venue did not execute the order and never will; reason has the venue's words.",
  fix: 'Correct what reason names and send a new order with a new Idempotency-Key.',
  details: z.object({ cloid, reason: z.string().max(300) }),
})
export const venueAllowance = refusal('venue_allowance', {
  status: 429,
  title: 'Few actions left at the venue',
  meaning: "The owner's account has fewer than 1,000 actions left at the venue; they are kept for closes.",
  fix: 'Close positions, or trade by hand at the venue: each dollar traded earns one action.',
  details: z.object({ left: z.int().min(0).max(Number.MAX_SAFE_INTEGER) }),
})
export const moneyMoving = refusal('hub_leg_money_moving', {
  status: 409,
  title: 'Leg money is on its way',
  meaning:
    'A funding or a return of the leg is on its way, so that what the leg is worth is not settled. It does not count against the agent.',
  fix: 'Repeat at retry_at; closes pass meanwhile.',
  details: z.object({ retry_at: instant }),
})
export const marginShort = refusal('hub_hl_margin_short', {
  status: 409,
  title: 'Margin is missing',
  meaning:
    'At the leverage that the account has set for the market, the open needs more margin than the account has free. Nothing was moved.',
  fix: 'Raise the leverage of the market at the venue (leverage is what it has now), ask for less, or free collateral.',
  details: z.object({ market: z.string().max(64), leverage: z.int(), margin_usdc: z.string().max(60) }),
})
export const unexplained = refusal('leg_unexplained', {
  status: 409,
  title: 'The account is not explained',
  meaning:
    'The cash of the account has changed, and neither executions nor funding nor the ledger of the venue explain it.',
  fix: 'Close positions, or wait until the cash is explained; operations know of it. It does not count against the agent.',
})
export const openInFlight = refusal('hub_leg_open_in_flight', {
  status: 409,
  title: 'Another open is at the venue',
  meaning: 'One opening order of a leg is at the venue at a time, and another one is not resolved yet.',
  fix: 'Repeat with the same Idempotency-Key after retry_at. Closes do not wait.',
  details: z.object({ retry_at: instant }),
})
export const clientIdUsed = refusal('client_id_used', {
  status: 409,
  title: 'client_id used before',
  meaning: 'An order of this mandate with another Idempotency-Key has this client_id.',
  fix: 'Send a new client_id, or repeat the order with its own Idempotency-Key.',
})
export const orderExpired = refusal('order_expired', {
  status: 409,
  title: 'The order has expired',
  meaning: 'not_after has passed, and no order was placed under this key; none ever will be.',
  fix: 'Send a new order with a new Idempotency-Key and a later not_after.',
})

export const unknownMarket = refusal('hub_leg_unknown_market', {
  sameAs: 'unknown_coin',
  status: 404,
  title: 'Unknown market',
  meaning: 'The venue has no such market on the dexes that this deployment reads.',
  fix: 'Use a market_id of GET /hub/markets that begins with hl:.',
})

/** What an order of a leg would do now. */
export const legEstimate = z
  .object({
    market: legMarketId,
    side: z.enum(['buy', 'sell']),
    opening: z.boolean(),
    size: z.string().max(53),
    worst_price: z.string().max(53),
    reference_price: z.string().max(53).nullable().default(null).meta({
      description: 'Highest of worst price, mark, middle of the book and, for a sell, best bid; null if unknown',
    }),
    notional_usdc: usdc.meta({ description: 'size × reference price: what the mandate judges' }),
    loss_usdc: usdc.meta({
      description: 'What the order costs at its worst price against the mark price, with the fee',
    }),
    fills: z
      .object({
        filled_size: z.string().max(53),
        average_price: z.string().max(53).nullable(),
        notional_usdc: usdc,
        fee_usdc: usdc,
        slippage_bps: z.number().min(0).max(10_000).nullable(),
        unfilled_size: z.string().max(53),
      })
      .meta({ description: 'The order walked through the book as it is now' }),
    liquidation_price: z.string().max(53).nullable().meta({
      description:
        'Liquidation price of the position after the order, at unchanged prices of other markets; null without one',
    }),
    stop_line_loss_usdc: signedUsdc.nullable().meta({
      description:
        'What the account would lose if every position were closed at the book right after the order; null if the book is too thin',
    }),
    mark_price: z.string().max(53),
    read_at: instant,
  })
  .meta({ title: 'LegEstimate' })
export type LegEstimate = z.output<typeof legEstimate>

/** Orders of a leg at the perpetuals venue. */
export const orderOperations = {
  placeLegOrder: operation({
    summary: "Trade in the owner's venue account: one order that fills at once or not at all",
    description:
      "The agent opens and closes, the owner closes. Opening or closing follows from the account's position, read for this order; an order that would turn a position is refused. " +
      'An open is judged by every clause at size × reference price, the highest of its worst price, the mark, the middle of the book and, for a sell, the best bid; above the approval amount it is held for the owner (202). A close is limited by the position alone. ' +
      'An order by amount fills at most the amount at the reference price; by_amount says how much of it that was. A fill at a better price of a sell counts at its own notional. ' +
      'A 202 does not use the Idempotency-Key up: repeat the same body with the same key. One key of a mandate never makes a second order; client_id replaces a missing key. An order without both cannot be repeated safely.',
    auth: 'account',
    scope: 'tx',
    limit: 'hub_exit',
    flag: { setting: legSettings.legEnabled, whenOff: featureDisabled },
    http: 'POST /hub/mandates/{public_id}/hl-order',
    effect: 'money',
    mayLose:
      'An open commits at most per_tx_cap_usdc of the mandate, all opens of a day daily_cap_usdc; losses end at its stop_line_usdc. A close costs fees and slippage.',
    reaches: 'outside',
    tool: 'mandate_hl_order',
    toolTitle: 'Trade at the venue',
    idempotent: true,
    keepsKey: true,
    timeoutMs: 20_000,
    input: z
      .strictObject({
        public_id: publicId,
        market: legMarketId,
        side: z.enum(['buy', 'sell']).meta({ description: 'Of the order' }),
        amount_usdc: legAmount.optional().meta({
          description: 'Exactly one of amount_usdc and size. It fills at most this amount at the reference price',
        }),
        size: legSize.optional().meta({ description: 'Exactly one of amount_usdc and size' }),
        reduce_only: z.boolean().default(false).meta({
          description: 'true: the order only reduces a position and is cut to its size. Orders of the owner always do',
        }),
        max_slippage: legSlippage.optional(),
        client_id: z
          .string()
          .min(1)
          .max(64)
          .regex(/^[A-Za-z0-9._:-]*$/, 'use letters, digits, dots, dashes, colons and underscores')
          .optional()
          .meta({ description: 'Your own id of the order, unique per mandate' }),
        not_after: givenInstant.optional().meta({
          description:
            'The order is never placed after this time. A repetition with the same key then answers what became of it, or order_expired',
        }),
        dry_run: z.boolean().default(false).meta({ description: 'true: judge the order and write nothing' }),
      })
      .meta({ example: { market: 'hl:BTC', side: 'buy', amount_usdc: '25', max_slippage: '0.01' } }),
    success: {
      200: z.object({
        ok: okTrue,
        order: legOrderView,
        position: legPositionView.nullable().meta({ description: 'After the order; null if it could not be read' }),
        usage: mandateUsage.nullable().meta({ description: 'Null if mandates could not be told yet' }),
        judgement: refusalBlock.nullable().meta({ description: 'Null if the order was never sent' }),
        receipt: z.string().max(100_000).nullable().meta({
          description:
            'JWS of typ leg-receipt+json over terms, judgement, readings and executions; null in a dry run and until it is signed',
        }),
      }),
      202: z.discriminatedUnion('code', [
        z.object({
          ok: okTrue,
          code: z.literal('pending_approval'),
          public_id: publicId,
          approval: approvalItem,
          judgement: refusalBlock,
        }),
        z.object({ ok: okTrue, code: z.literal('order_unresolved'), public_id: publicId, cloid }),
      ]),
    },
    refusals: [
      common.invalidRequest,
      featureDisabled,
      notConfigured,
      unknownMandate,
      ...Object.values(legRefusals),
      mandateRefuses,
      wouldFlip,
      nothingToClose,
      venueRejected,
      openInFlight,
      moneyMoving,
      marginShort,
      unexplained,
      clientIdUsed,
      orderExpired,
      venueAllowance,
      venueBudget,
      common.rateLimited,
    ],
  }),
  simulateLegOrder: operation({
    summary: 'Estimate for mandates what an order of a leg would do now, without any effect',
    auth: 'service',
    callers: ['mandates'],
    input: z.strictObject({
      public_id: publicId,
      market: legMarketId,
      side: z.enum(['buy', 'sell']),
      amount_usdc: legAmount.optional(),
      size: legSize.optional(),
      max_slippage: legSlippage.optional(),
    }),
    success: { 200: legEstimate },
    refusals: [common.invalidRequest, legRefusals.none, nothingToClose, wouldFlip, unknownMarket, venueBudget],
  }),
} as const

/** Facts of orders. */
export const orderEvents = {
  orderResolved: event({
    summary: 'It is certain what became of an order of a leg',
    payload: z.object({
      public_id: publicId,
      owner_id: accountId,
      cloid,
      market: legMarketId,
      side: z.enum(['buy', 'sell']),
      status: z.enum(['filled', 'partial', 'missed']),
      filled_size: z.string().max(53),
      average_price: z.string().max(53).nullable(),
      at: instant,
    }),
  }),
} as const

export const orderJobs = {
  resolveOrders: job({
    summary: 'Resolve orders without an answer, tell mandates what became of orders, and bring collateral home',
    everyMs: 2_000,
    wokenBy: ['placeLegOrder'],
    max: 100,
    budgetSec: 60,
  }),
} as const
