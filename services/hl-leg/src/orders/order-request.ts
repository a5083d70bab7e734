import { exact } from '@svc/hyperliquid/rounding'
import { randomUUID } from 'node:crypto'
import { refuse, type FieldError, type InputOf } from '@svc/contract'
import { common } from '@svc/contracts'
import type { hlLeg } from '@svc/contracts/hl-leg'
import { callerOf, type Call } from '@svc/service'
import type { Settings } from '#context.ts'
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
  readonly orderKey: string
  readonly hash: string
}

const invalid = (...errors: FieldError[]) => refuse(common.invalidRequest, undefined, {}, errors)

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

/** Refuses an order that names both an amount and a size, or neither. */
export function requireOne(amountUsdc: string | null, size: string | null): void {
  if (amountUsdc !== null && size !== null)
    invalid({ pointer: '/size', code: 'ambiguous', detail: 'send amount_usdc or size, not both' })
  if (amountUsdc === null && size === null)
    invalid({ pointer: '/amount_usdc', code: 'missing', detail: 'send amount_usdc or size' })
}

/** Refuses a band that is wider than the deployment's. */
export function requireBand(maxSlippage: string | null, configured: string): void {
  if (maxSlippage !== null && exact(maxSlippage).gt(configured))
    invalid({ pointer: '/max_slippage', code: 'too_big', detail: `send at most ${configured}, or omit it` })
}
