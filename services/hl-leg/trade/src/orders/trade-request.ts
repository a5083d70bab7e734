import type { TradeMode } from '@svc/contracts/hl-trade/order-schemas'
import { callerOf, type Call } from '@svc/service'
import { requireBand, requireOne } from '@svc/venue/order-input'
import type { Settings } from '#context.ts'
import { orderKeyOf, requestHash } from './rules/order-keys.ts'
import type { Door } from './store/caps.ts'

/** What a caller asks for, with who asks and the key that it is bound to. */
export interface TradeRequest {
  readonly accountId: number
  readonly by: 'owner' | 'agent'
  readonly door: Door
  readonly mode: TradeMode
  readonly market: string
  readonly side: 'buy' | 'sell'
  readonly amountUsdc: string | null
  readonly size: string | null
  readonly reduceOnly: boolean
  readonly maxSlippage: string | null
  readonly book: string | null
  readonly dryRun: boolean
  readonly orderKey: string | null
  readonly hash: string
}

/** Members of a request that the routes of orders share. */
export interface OrderInput {
  readonly market: string
  readonly side: 'buy' | 'sell'
  readonly amount_usdc?: string | undefined
  readonly size?: string | undefined
  readonly reduce_only: boolean
  readonly max_slippage?: string | undefined
  readonly book?: string | undefined
  readonly dry_run: boolean
}

/** Returns what a call asks for; its key is bound to `bound`, else to the members of the order. Refuses members that do not go together, and a band wider than the deployment's. */
export function requestOf(
  input: OrderInput,
  call: Call,
  { slippagePct }: Pick<Settings, 'slippagePct'>,
  at: {
    readonly door: Door
    readonly route: string
    readonly mode: TradeMode
    readonly bound?: readonly (string | null)[]
  },
): TradeRequest {
  const caller = callerOf(call)
  const { amount_usdc: amountUsdc = null, size = null, max_slippage: maxSlippage = null, book = null } = input
  requireOne(amountUsdc, size)
  requireBand(maxSlippage, slippagePct)
  const { market, side, reduce_only: reduceOnly, dry_run: dryRun } = input
  return {
    accountId: caller.account_id,
    by: caller.kind === 'owner' ? 'owner' : 'agent',
    door: at.door,
    mode: at.mode,
    market,
    side,
    amountUsdc,
    size,
    reduceOnly,
    maxSlippage,
    book,
    dryRun,
    orderKey: dryRun ? null : orderKeyOf(at.route, call.idempotencyKey),
    hash: requestHash(at.bound ?? [at.mode, market, side, amountUsdc, size, reduceOnly, maxSlippage, book]),
  }
}
