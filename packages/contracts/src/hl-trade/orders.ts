import { job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountIdText, common, cursor, instant, okTrue, queryInt } from '../common.ts'
import { venueRejected, wouldFlip } from '../hl-leg/orders.ts'
import { legAmount, legSize, legSlippage } from '../hl-leg/order-schemas.ts'
import { venueBudget } from '../hl-leg/refusals.ts'
import { legMarketId } from '../hl-leg/venue.ts'
import { scopeDenied } from '../identity/pairing.ts'
import { usdc } from '../mandates/fields.ts'
import { refusalBlock } from '../mandates/verdict.ts'
import {
  confirmId,
  keySignature,
  orderCap,
  orderId,
  ownOrder,
  pendingOrder,
  preparedOrder,
  tradeCode,
  tradeMode,
  tradeState,
  tradeResult,
  tradeUnresolved,
} from './order-schemas.ts'
import { nothingToClose, paperBookId, paperBookUnknown, paperRejected } from './books.ts'

export const orderRefused = refusal('order_refused', {
  status: 409,
  title: 'The order is refused',
  meaning: 'A limit of the account refuses the order, and nothing was sent; refusal.code names the limit.',
  fix: 'Follow refusal.fix; refusal.max_passing_amount_usdc is the largest amount that passes now.',
  details: z.object({
    refusal: refusalBlock,
    reason: z.string().max(60).nullable().meta({ description: 'More about refusal.code, such as leg_bound' }),
  }),
})
export const unknownOrder = refusal('unknown_order', {
  status: 404,
  title: 'Unknown order',
  meaning: 'No order of your account has this id.',
  fix: 'Use the order_id of GET /hub/order, or the confirm_id that POST /hub/order or GET /hub/order/pending returned to you.',
})
export const wrongSignMode = refusal('wrong_sign_mode', {
  status: 409,
  title: 'Confirmed in another way',
  meaning: 'An order of sign_mode server is confirmed with execute, one of sign_mode client with record.',
  fix: 'Use POST /hub/order/execute for sign_mode server; for client sign action, and send signature to POST /hub/order/record.',
})
export const notAtVenue = refusal('order_not_at_venue', {
  status: 409,
  title: 'The venue does not know the order',
  meaning: 'The venue lists no order of the linked account with the cloid of this preparation; its cap stays reserved.',
  fix: 'Record it again with its signature, or post the signed action to post_to, before expires_at. Unposted, it ends by itself.',
  details: z.object({ retry_at: instant }),
})
export const orderDiffers = refusal('order_differs', {
  status: 409,
  title: 'Not the prepared order',
  meaning: 'The venue lists the cloid of this preparation for an order of another market, side, time or oid.',
  fix: 'Sign the action as it was prepared. Prepare a new order with POST /hub/order for anything else.',
})
export const modeChanged = refusal('mode_changed', {
  status: 409,
  title: 'The mode has changed',
  meaning: 'mode_seen is not the mode in which orders are placed now; nothing was executed.',
  fix: 'Read GET /ui/trade/me, show the mode, and repeat with it as mode_seen.',
  details: z.object({ mode: tradeMode }),
})

/** Refusals of everything that plans and judges an order. */
export const planRefusals = [
  common.invalidRequest,
  orderRefused,
  wouldFlip,
  nothingToClose,
  paperBookUnknown,
  paperRejected,
  venueBudget,
  common.rateLimited,
] as const
/** Refusals of everything that executes an order. */
export const executeRefusals = [orderRefused, modeChanged, venueRejected, venueBudget, common.rateLimited] as const

/** Which market is traded, on which side and how much. */
export const orderFields = {
  market: legMarketId,
  side: z.enum(['buy', 'sell']),
  amount_usdc: legAmount.optional().meta({ description: 'Exactly one of amount_usdc and size' }),
  size: legSize.optional().meta({ description: 'Exactly one of amount_usdc and size' }),
  reduce_only: z.boolean().default(false).meta({
    description: 'true: the order only reduces a position and is cut to its size',
  }),
  book: paperBookId.optional().meta({ description: 'Paper book; without it the oldest one' }),
  max_slippage: legSlippage.optional(),
  dry_run: z.boolean().default(false).meta({ description: 'true: plan and judge, and write nothing' }),
}

const step = z
  .object({ from: usdc, to: usdc })
  .meta({ title: 'CapStep', description: 'Cap of the terminal before and after; equal if nothing changed' })

/** Orders of an own account at the venue, and of paper books. */
export const orderOperations = {
  prepareOrder: operation({
    summary: 'Prepare an order of your own account, or fill a paper order',
    description:
      'paper: filled at once on the book of the venue; fill has the result. live: prepared for 60 seconds and reserved in the caps. ' +
      'sign_mode server: POST /hub/order/execute sends it. sign_mode client: the key in your browser signs typed_data, posts action to post_to or leaves that to POST /hub/order/record, which tells. ' +
      "A live order of an agent waits in GET /hub/order/pending for its owner. An owner's verified close passes the live switch, the caps and the session. Paper orders have the caps of live ones, and a day of their own.",
    auth: 'account',
    limit: 'hub_write',
    exitWhen: 'reduce_only',
    http: 'POST /hub/order',
    effect: 'money',
    reaches: 'outside',
    idempotent: true,
    keepsKey: true,
    timeoutMs: 20_000,
    input: z
      .strictObject({ ...orderFields, mode: tradeMode })
      .meta({ example: { market: 'hl:BTC', side: 'buy', amount_usdc: '25', mode: 'paper' } }),
    success: { 200: preparedOrder.extend({ ok: okTrue }) },
    refusals: planRefusals,
  }),
  executeOrder: operation({
    summary: 'Execute a prepared order of your own account with its order key',
    description:
      'Judges the order again at the fresh price. A repetition answers the same order: one confirm_id executes once. 202: the venue has not said yet what became of it; repeat.',
    auth: 'account',
    limit: 'hub_write',
    http: 'POST /hub/order/execute',
    effect: 'money',
    reaches: 'outside',
    idempotent: true,
    keepsKey: true,
    timeoutMs: 20_000,
    input: z
      .strictObject({
        confirm_id: confirmId,
        mode_seen: tradeMode.optional().meta({ description: 'Mode that was shown at the click' }),
        dry_run: orderFields.dry_run,
      })
      .meta({ example: { confirm_id: 'cnf_0123456789abcdef0123456789abcdef', mode_seen: 'live' } }),
    success: { 200: tradeResult, 202: tradeUnresolved },
    refusals: [
      ...executeRefusals,
      unknownOrder,
      wrongSignMode,
      scopeDenied,
      nothingToClose,
      common.idempotencyMismatch,
    ],
  }),
  recordOrder: operation({
    summary: 'Record an order that a key in your browser signed, and post it if it did not',
    description:
      'With signature, the prepared action is posted to the venue with it, byte for byte; repeating that is harmless. Believed is what the venue says about the cloid of this preparation on the linked account. More executed than prepared counts whole, with violation true. An order that is not recorded is found by the service and counts all the same.',
    auth: 'account',
    limit: 'hub_write',
    http: 'POST /hub/order/record',
    idempotent: true,
    keepsKey: true,
    timeoutMs: 20_000,
    input: z
      .strictObject({
        confirm_id: confirmId,
        signature: keySignature.optional().meta({
          description:
            'Signature of typed_data by the key in the browser; without it the browser has posted the action itself',
        }),
      })
      .meta({ example: { confirm_id: 'cnf_0123456789abcdef0123456789abcdef' } }),
    success: { 200: tradeResult, 202: tradeUnresolved },
    refusals: [
      unknownOrder,
      wrongSignMode,
      scopeDenied,
      notAtVenue,
      orderDiffers,
      venueRejected,
      venueBudget,
      common.rateLimited,
    ],
  }),
  listPendingOrders: operation({
    summary: 'List the prepared orders that wait for confirmation, newest first',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/order/pending',
    input: z.strictObject({ limit: queryInt(1, 100, 50), cursor: cursor.optional() }),
    success: { 200: z.object({ items: z.array(pendingOrder).max(100), next_cursor: cursor.nullable() }) },
    refusals: [common.invalidRequest],
  }),
  listOrders: operation({
    summary: 'List the orders of your own account and of your paper book, newest first',
    description: 'An agent lists the orders that it asked for.',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/order',
    input: z.strictObject({
      mode: tradeMode.optional(),
      state: tradeState.optional(),
      limit: queryInt(1, 100, 50),
      cursor: cursor.optional(),
    }),
    success: { 200: z.object({ items: z.array(ownOrder).max(100), next_cursor: cursor.nullable() }) },
    refusals: [common.invalidRequest],
  }),
  readOrder: operation({
    summary: 'Read what became of one order of your own account',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/order/{order_id}',
    input: z.strictObject({ order_id: orderId }),
    success: { 200: ownOrder },
    refusals: [unknownOrder],
  }),
  readOrderCap: operation({
    summary: 'Read the caps of your orders with POST /hub/order and their use today',
    description:
      'bound_by says what each figure comes from: a limit that you set with PUT /ui/trade/limits binds here too if it is not above the cap of the terminal.',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/order/cap',
    input: z.strictObject({}),
    success: { 200: orderCap },
    refusals: [orderRefused],
  }),
  raiseOrderCap: operation({
    summary: 'Double the cap of one order, up to the maximum of the deployment',
    description:
      'The daily cap grows in the same proportion. changed says what the cap of the terminal was and is. A lower limit of PUT /ui/trade/limits stays: the other members say what binds POST /hub/order now. The trade pages do not use this cap.',
    auth: 'account',
    limit: 'hub_write',
    http: 'POST /hub/order/cap/raise',
    idempotent: true,
    input: z.strictObject({}).meta({ example: {} }),
    success: { 200: orderCap.extend({ ok: okTrue, changed: z.object({ per_order_usdc: step, daily_usdc: step }) }) },
    refusals: [scopeDenied],
  }),
  readAgentStatus: operation({
    summary: "Read whether the caller's agent may trade on the owner's own account, and why not",
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/agent/status',
    input: z.strictObject({
      agent_id: accountIdText
        .optional()
        .meta({ description: 'For an owner: which agent; without it the status of the owner' }),
    }),
    success: {
      200: z.object({
        may_trade: z.boolean(),
        mode: tradeMode,
        reasons: z.array(tradeCode).max(13),
        fix: z.string().max(500).nullable().meta({ description: 'Of the first reason' }),
        fixes: z
          .array(z.object({ reason: tradeCode, fix: z.string().max(500) }))
          .max(13)
          .optional()
          .meta({ description: 'Of each reason' }),
      }),
    },
    refusals: [common.invalidRequest],
  }),
} as const

export const orderJobs = {
  resolveTrades: job({
    summary: 'Resolve orders of own accounts without an answer, and find orders that browsers posted',
    everyMs: 2_000,
    wokenBy: ['prepareOrder', 'executeOrder', 'placePageOrder', 'closePosition'],
    max: 100,
    budgetSec: 60,
  }),
} as const
