import { z } from 'zod'
import { accountId, instant, okTrue } from '../common.ts'
import { cloid, legOrderView, legPositionView } from '../hl-leg/order-schemas.ts'
import { legMarketId } from '../hl-leg/venue.ts'
import { usdc } from '../mandates/fields.ts'
import { refusalBlock } from '../mandates/verdict.ts'

/** The codes with which an order of the trading side is refused, in the order in which they are judged. */
export const tradeCodes = [
  'live_trading_off',
  'agent_not_paired',
  'no_mandate',
  'mandate_not_working',
  'market_not_allowed',
  'over_order_cap',
  'over_daily_cap',
  'over_open_notional',
  'session_closed',
  'builder_fee_not_approved',
  'account_not_linked',
  'price_out_of_band',
  'confirm_expired',
] as const
export const tradeCode = z
  .enum(tradeCodes)
  .meta({ title: 'TradeCode', description: 'Why an order is refused, in the order in which it is judged' })
export type TradeCode = z.output<typeof tradeCode>

/** Orders whose money is real, and orders of paper books. */
export const tradeMode = z.enum(['paper', 'live']).meta({ title: 'TradeMode' })
export type TradeMode = z.output<typeof tradeMode>

export const orderId = z
  .string()
  .max(36)
  .regex(/^ord_[0-9a-f]{32}$/, 'use the order_id exactly as the API returns it')
  .meta({ title: 'OrderId', example: 'ord_0123456789abcdef0123456789abcdef' })
export const confirmId = z
  .string()
  .max(36)
  .regex(/^cnf_[0-9a-f]{32}$/, 'use the confirm_id exactly as the API returns it')
  .meta({ title: 'ConfirmId', example: 'cnf_0123456789abcdef0123456789abcdef' })

const figure = z
  .string()
  .regex(/^\d{1,30}(?:\.\d{1,20})?$/)
  .max(52)

/** Where an order stands. */
export const tradeState = z
  .enum(['prepared', 'offered', 'signed', 'filled', 'partial', 'missed', 'rejected', 'expired'])
  .meta({
    title: 'TradeState',
    description:
      'prepared: waits for confirmation. offered: the key in the browser may post it. signed: sent, and the venue has not said what became of it. The others are final; expired: it was never sent',
  })

/** What an order would do now. */
export const tradeEstimate = z
  .object({
    price: figure
      .nullable()
      .meta({ description: 'Average price through the book as it is now; null if nothing fills' }),
    size: figure,
    worst_price: figure.meta({ description: 'The order executes at this price or a better one' }),
    reference_price: figure.nullable().default(null).meta({
      description:
        'Highest of worst price, mark, middle of the book and, for a sell, best bid; null for an order that was prepared by a release that counted at the worst price',
    }),
    notional_usdc: usdc.meta({
      description: 'size × reference price: what the caps count until the order is resolved',
    }),
    fee_usdc: usdc,
    slippage_bps: z.number().min(0).max(10_000).nullable(),
    liquidation_price: figure.nullable().meta({ description: 'Of the position after the order; null without one' }),
  })
  .meta({ title: 'TradeEstimate' })
export type TradeEstimate = z.output<typeof tradeEstimate>

/** none: nobody signs (paper); server: the order key of the account; client: a key in the browser of the owner. */
export const signMode = z.enum(['none', 'server', 'client']).meta({
  title: 'SignMode',
  description: 'none: paper. server: confirm with execute. client: sign action in the browser, post it, then record it',
})

/** An action that a key in the browser signs and posts to the venue itself. */
export const clientAction = {
  typed_data: z
    .record(z.string().max(60), z.unknown())
    .nullable()
    .meta({ description: 'Typed data of EIP-712 that the browser’s own key signs; null unless sign_mode is client' }),
  action: z
    .record(z.string().max(60), z.unknown())
    .nullable()
    .meta({ description: 'The action that is posted with nonce, signature and expiresAfter' }),
  nonce: z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable(),
  expires_after: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .nullable()
    .meta({ description: 'expiresAfter of the posted body, Unix milliseconds' }),
  post_to: z.string().max(200).nullable().meta({ description: 'Endpoint of the venue; nothing is sent from here' }),
}

/** A prepared order. */
export const preparedOrder = z
  .object({
    order_id: orderId.nullable().meta({ description: 'Null in a dry run' }),
    confirm_id: confirmId.nullable().meta({ description: 'Null if there is nothing to confirm' }),
    sign_mode: signMode,
    ...clientAction,
    estimate: tradeEstimate,
    judgement: refusalBlock,
    requested_by: z.enum(['owner', 'agent']),
    expires_at: instant.nullable().meta({ description: 'Until when it can be confirmed; null for paper' }),
    fill: legOrderView.nullable().meta({ description: 'What a paper order executed; null for any other' }),
  })
  .meta({ title: 'PreparedOrder' })
export type PreparedOrder = z.output<typeof preparedOrder>

const word32 = z
  .string()
  .max(66)
  .regex(/^0x[0-9a-f]{64}$/, 'must be 0x and 64 hex digits in lower case')
/** Signature by a key in a browser. */
export const keySignature = z
  .strictObject({ r: word32, s: word32, v: z.literal([27, 28]) })
  .meta({ title: 'KeySignature', description: 'Signature by a key in the browser' })
export type KeySignature = z.output<typeof keySignature>

/** Where a cap of an order comes from. */
export const boundBy = z.enum(['owner_limit', 'terminal_cap', 'default']).meta({
  title: 'BoundBy',
  description:
    'owner_limit: set with PUT /ui/trade/limits, binds POST /hub/order and the trade pages. terminal_cap: the cap of POST /hub/order, which POST /hub/order/cap/raise raises. default: that of the trade pages until a limit is set, binds them only',
})
export type BoundBy = z.output<typeof boundBy>

/** Caps of an account at one door and their use. */
export const orderCap = z
  .object({
    per_order_usdc: usdc,
    daily_usdc: usdc,
    bound_by: z
      .object({ per_order_usdc: boundBy, daily_usdc: boundBy })
      .meta({ description: 'What each of the two figures comes from' }),
    used_today_usdc: usdc.meta({
      description: 'Opening live orders of this UTC day: what they executed, and what is reserved for unresolved ones',
    }),
    remaining_today_usdc: usdc,
    paper_used_today_usdc: usdc.meta({
      description:
        'What opening paper orders of this UTC day filled. Paper orders have the same caps, and spend nothing of used_today_usdc',
    }),
    resets_at: instant,
  })
  .meta({ title: 'OrderCap' })
export type OrderCap = z.output<typeof orderCap>

/** What became of an order. */
export const tradeResult = z
  .object({
    ok: z.literal(true),
    order_id: orderId.nullable().meta({ description: 'Null in a dry run' }),
    order: legOrderView,
    position: legPositionView.nullable().meta({ description: 'After the order; null if it could not be read' }),
    usage: orderCap.nullable().meta({ description: 'Null for paper' }),
    judgement: refusalBlock,
    receipt: z.null().meta({ description: 'Orders of the own account have no receipt' }),
    violation: z.boolean().meta({ description: 'True if more was executed than was prepared' }),
  })
  .meta({ title: 'TradeResult' })
export type TradeResult = z.output<typeof tradeResult>

/** An order that may have been executed, and is looked for. */
export const tradeUnresolved = z.object({ ok: okTrue, code: z.literal('order_unresolved'), order_id: orderId, cloid })

/** An order that waits for its owner. */
export const pendingOrder = z
  .object({
    order_id: orderId,
    confirm_id: confirmId.nullable().meta({ description: 'Null for anybody but the owner' }),
    sign_mode: signMode,
    market: legMarketId,
    side: z.enum(['buy', 'sell']),
    reduce_only: z.boolean(),
    estimate: tradeEstimate,
    judgement: refusalBlock,
    requested_by: z.enum(['owner', 'agent']),
    agent_id: accountId.nullable(),
    public_id: z.string().max(36).nullable().meta({ description: 'Mandate that allows the order of an agent' }),
    prepared_at: instant,
    expires_at: instant,
  })
  .meta({ title: 'PendingOrder' })
export type PendingOrder = z.output<typeof pendingOrder>

/** An order as it is read later: whatever became of it. */
export const ownOrder = z
  .object({
    order_id: orderId,
    mode: tradeMode,
    state: tradeState,
    market: legMarketId,
    side: z.enum(['buy', 'sell']),
    reduce_only: z.boolean(),
    order: legOrderView.nullable().meta({ description: 'What it executed; null while that is not certain' }),
    reason: z
      .string()
      .max(500)
      .nullable()
      .meta({ description: 'Words of the venue, if it rejected or missed the order' }),
    violation: z.boolean().meta({ description: 'More was executed than prepared' }),
    requested_by: z.enum(['owner', 'agent']),
    agent_id: accountId.nullable(),
    prepared_at: instant,
    resolved_at: instant.nullable(),
  })
  .meta({ title: 'OwnOrder' })
export type OwnOrder = z.output<typeof ownOrder>
