import type { LiveVerdict } from '@svc/contracts/gallery/gaps'
import { exact } from '@svc/hyperliquid/rounding'
import type { OrderOutcome } from './order-outcome.ts'

/** Code of an order that was never sent because the owner of the mandate lacks the Cherry. */
export const UNPAID = 'unpaid'

/** The verdict that follows from the orders of a signal; without an execution the second half is null. */
export interface OrderVerdict {
  readonly verdict: LiveVerdict
  readonly reason: string | null
  readonly executed: {
    readonly side: 'buy' | 'sell'
    readonly price: string
    readonly notional: bigint
    readonly at: Date
  } | null
}

/** Returns the verdict on a signal whose orders have ended. The price is the average of what both executed. */
export function orderVerdict(
  orders: readonly (OrderOutcome & { readonly side: 'buy' | 'sell'; readonly endedAt: Date })[],
): OrderVerdict {
  const filled = orders.flatMap(({ side, size, price, endedAt }) =>
    size === null || price === null ? [] : { side, size: exact(size), price: exact(price), at: endedAt },
  )
  const last = orders.at(-1)
  const [first] = filled
  if (first === undefined || last === undefined)
    return { ...failure(last?.outcome ?? 'expired', last?.code ?? null), executed: null }
  const size = filled.reduce((sum, one) => sum.plus(one.size), exact(0))
  const notional = filled.reduce((sum, one) => sum.plus(one.size.times(one.price)), exact(0))
  return {
    verdict: 'followed',
    reason: last.outcome === 'filled' ? last.code : `closed_then_${last.outcome}`,
    executed: {
      // The two orders of a flip have the same side.
      side: first.side,
      price: notional.div(size).toSignificantDigits(12).toFixed(),
      notional: BigInt(notional.times(1_000_000).toDecimalPlaces(0).toFixed()),
      at: first.at,
    },
  }
}

function failure(outcome: OrderOutcome['outcome'], code: string | null) {
  if (code === UNPAID) return { verdict: 'skipped_unpaid', reason: null } as const
  if (outcome === 'refused') return { verdict: 'refused', reason: code } as const
  return { verdict: 'failed', reason: code ?? outcome } as const
}
