import { SELLER_PERCENT, UNSHARED_CHERRY } from '@svc/contracts/subscriptions/holds'

/** How a captured amount is divided; both parts are whole, and their sum is the amount. */
export interface Share {
  readonly seller: number
  readonly revenue: number
}

/**
 * Divides what an account pays that has spent `spentBefore` in all. The first 10 Cherry of an account are its welcome
 * credit and go to the house, since sellers would otherwise be paid for registering accounts; of the rest the seller
 * gets 80 %, rounded down.
 */
export function shareOf(amount: number, spentBefore: number): Share {
  const unshared = Math.min(amount, Math.max(0, UNSHARED_CHERRY - spentBefore))
  const seller = Math.floor(((amount - unshared) * SELLER_PERCENT) / 100)
  return { seller, revenue: amount - seller }
}
