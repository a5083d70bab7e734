import { operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { common, instant, okTrue, walletAddress } from '../common.ts'
import { legPositionView, legSize, legSlippage } from '../hl-leg/order-schemas.ts'
import { wouldFlip } from '../hl-leg/orders.ts'
import { legMarketId } from '../hl-leg/venue.ts'
import { usdc } from '../mandates/fields.ts'
import { orderCap, preparedOrder, tradeMode, tradeResult, tradeUnresolved } from './order-schemas.ts'
import { executeRefusals, orderFields, planRefusals } from './orders.ts'

export const limitsOnlyLower = refusal('limits_only_lower', {
  status: 409,
  title: 'Limits only go down here',
  meaning: 'A limit in the request is higher than the one that stands.',
  fix: 'Send values that are at most those of GET /ui/trade/me.',
  details: z.object({ per_order_usdc: usdc, daily_usdc: usdc }),
})

const positions = z.array(legPositionView.extend({ book: z.string().max(40).nullable() })).max(2_000)
const modeSeen = tradeMode.meta({ description: 'Mode of GET /ui/trade/me that the page showed' })
/** What a live order answers while the account has no enabled order key. */
const toSign = preparedOrder.extend({ ok: okTrue, code: z.literal('signature_required') })
const placed = {
  200: tradeResult,
  202: z.discriminatedUnion('code', [tradeUnresolved, toSign]),
} as const

/** What the trade pages ask; an API key is never an owner here. */
export const pageOperations = {
  readTrader: operation({
    summary: 'Read your account of the trade pages: wallet, order key, mode, limits and checks',
    auth: 'owner',
    limit: 'hub_read',
    http: 'GET /ui/trade/me',
    deprecated: {
      since: '2026-11-30',
      sunset: '2027-11-30',
      successor: '/ui/trade/me',
      members: { live_switch: 'live_trading' },
    },
    input: z.strictObject({}),
    success: {
      200: z.object({
        wallet: walletAddress.nullable().meta({ description: 'Linked wallet; null without one' }),
        linked: z.boolean(),
        order_key: z.enum(['none', 'offered', 'enabled', 'revoked', 'expired', 'orphaned']),
        live_trading: z.boolean().meta({ description: 'Whether this deployment allows live orders' }),
        live_switch: z.boolean().meta({ deprecated: true, description: 'Alias of live_trading' }),
        mode: tradeMode.meta({ description: 'live while live trading is on and the account is linked' }),
        limits: orderCap,
        open_notional_max_usdc: usdc.meta({
          description: 'Most that the live positions of the account may come to with an order that opens',
        }),
        checks: z
          .array(
            z.object({
              id: z.enum(['live_switch', 'linked', 'order_key', 'builder_fee', 'leg']),
              verdict: z.enum(['pass', 'fail', 'unknown']),
              detail: z.string().max(300),
              fix: z.string().max(500).nullable(),
            }),
          )
          .max(5),
      }),
    },
  }),
  readPositions: operation({
    summary: 'Read your open positions, live and of paper books apart',
    auth: 'owner',
    limit: 'hub_read',
    http: 'GET /ui/trade/positions',
    input: z.strictObject({}),
    success: {
      200: z.object({
        live: positions
          .nullable()
          .meta({ description: 'Null without a linked account, and while the venue does not answer' }),
        live_read_at: instant.nullable(),
        paper: positions,
      }),
    },
  }),
  lowerLimits: operation({
    summary: 'Lower the limits of your orders',
    description:
      'A limit that is set here binds the trade pages and POST /hub/order, whatever POST /hub/order/cap/raise raised. A figure that is left out keeps what it has.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'PUT /ui/trade/limits',
    input: z
      .strictObject({ per_order_usdc: usdc.optional(), daily_usdc: usdc.optional() })
      .meta({ example: { per_order_usdc: '50' } }),
    success: { 200: orderCap.extend({ ok: okTrue }) },
    refusals: [common.invalidRequest, limitsOnlyLower],
  }),
  placePageOrder: operation({
    summary: 'Place an order in the mode that the page showed',
    description:
      'paper: filled at once. live: signed with your order key and sent at once; without an enabled key 202 with the action that the key in your browser signs.',
    auth: 'owner',
    limit: 'hub_write',
    exitWhen: 'reduce_only',
    http: 'POST /ui/trade/order',
    effect: 'money',
    reaches: 'outside',
    idempotent: true,
    keepsKey: true,
    timeoutMs: 20_000,
    input: z
      .strictObject({ ...orderFields, mode_seen: modeSeen })
      .meta({ example: { market: 'hl:BTC', side: 'buy', amount_usdc: '25', mode_seen: 'paper' } }),
    success: placed,
    refusals: [...new Set([...planRefusals, ...executeRefusals])],
  }),
  closePosition: operation({
    summary: 'Close a position, or part of it',
    description:
      'Always reduce-only and never larger than the position. A verified live close passes the live switch, the caps and the session.',
    auth: 'owner',
    limit: 'hub_exit',
    http: 'POST /ui/trade/close',
    effect: 'money',
    reaches: 'outside',
    idempotent: true,
    keepsKey: true,
    timeoutMs: 20_000,
    input: z
      .strictObject({
        market: legMarketId,
        size: legSize.optional().meta({ description: 'Without it the whole position' }),
        mode: tradeMode.optional().meta({ description: 'Which position; without it that of mode_seen' }),
        book: orderFields.book,
        max_slippage: legSlippage.optional(),
        mode_seen: modeSeen,
        dry_run: orderFields.dry_run,
      })
      .meta({ example: { market: 'hl:BTC', mode_seen: 'paper' } }),
    success: placed,
    refusals: [...new Set([...planRefusals, ...executeRefusals])].filter((one) => one !== wouldFlip),
  }),
} as const
