import { refuse, type FieldError } from '@svc/contract'
import { common } from '@svc/contracts'
import { exact } from '@svc/hyperliquid/rounding'

const invalid = (...errors: FieldError[]) => refuse(common.invalidRequest, undefined, {}, errors)

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
