import type { LegOrderView } from '@svc/contracts/hl-leg/order-schemas'
import { notionalAt } from '@svc/limits'

/** An order as far as its amount goes; decimal text. */
interface Amount {
  /** Null for an order by size. */
  readonly amountUsdc: string | null
  readonly referencePrice: string | null
  readonly filledSize: string
}

/** Says how much of its amount an order filled, at its reference price; null for an order by size. */
export function byAmount({ amountUsdc, referencePrice, filledSize }: Amount): LegOrderView['by_amount'] {
  if (amountUsdc === null || referencePrice === null) return null
  const filled = notionalAt(filledSize, referencePrice)
  return {
    asked_usdc: amountUsdc,
    filled_usdc: filled,
    meaning: `An order by amount fills at most its amount at the reference price, in whole lots: ${filled} of ${amountUsdc} USDC at ${referencePrice}.`,
  }
}
