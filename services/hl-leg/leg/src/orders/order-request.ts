import { randomUUID } from 'node:crypto'
import type { InputOf } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import { callerOf, type Call } from '@svc/service'
import type { Settings } from '#context.ts'
import { requireBand, requireOne } from '@svc/venue/order-input'
import { orderKeyOf, requestHash } from './rules/order-keys.ts'

type Input = InputOf<typeof hlLeg.operations.placeLegOrder>

/** What a caller asks for, with who asks and the key that it is bound to. */
export interface OrderRequest {
  readonly publicId: string
  readonly accountId: number
  readonly as: 'owner' | 'agent'
  readonly market: string
  readonly side: 'buy' | 'sell'
  readonly amountUsdc: string | null
  readonly size: string | null
  /** True for every order of the owner. */
  readonly reduceOnly: boolean
  readonly maxSlippage: string | null
  readonly clientId: string | null
  readonly dryRun: boolean
  /** RFC 3339: the order is never placed after it; null: it does not expire. */
  readonly notAfter: string | null
  readonly orderKey: string
  readonly hash: string
}

/** Returns what a call asks for. Refuses members that do not go together, and a band wider than the deployment's. */
export function requestOf(input: Input, call: Call, { slippagePct }: Pick<Settings, 'slippagePct'>): OrderRequest {
  const caller = callerOf(call)
  const { amount_usdc: amountUsdc = null, size = null, max_slippage: maxSlippage = null, client_id = null } = input
  requireOne(amountUsdc, size)
  requireBand(maxSlippage, slippagePct)
  const as = caller.kind === 'owner' ? 'owner' : 'agent'
  const key = call.idempotencyKey
  const bound = {
    accountId: caller.account_id,
    market: input.market,
    side: input.side,
    amountUsdc,
    size,
    reduceOnly: as === 'owner' || input.reduce_only,
    maxSlippage,
    clientId: client_id,
    notAfter: input.not_after ?? null,
  }
  return {
    ...bound,
    publicId: input.public_id,
    as,
    dryRun: input.dry_run,
    orderKey: orderKeyOf(key, client_id) ?? `call:${randomUUID()}`,
    hash: requestHash(bound),
  }
}

/** Returns true if an order may not be placed any more. */
export const hasExpired = ({ notAfter }: Pick<OrderRequest, 'notAfter'>, now: Date): boolean =>
  notAfter !== null && now.getTime() > Date.parse(notAfter)
