import { openStore, type Store } from '../../lib/store.ts'
import type { OrderKey } from './order-key.ts'

/** A key of this tab that the owner's wallet has approved. It lives in memory and ends with the tab. */
export interface PageKey {
  readonly key: OrderKey
  /** Wallet that approved it, lower case. */
  readonly wallet: string
  /** Unix milliseconds at which the approval ends. */
  readonly until: number
}

/** The key of this tab; null before one is approved. */
export const pageKey: Store<PageKey | null> = openStore<PageKey | null>(null)

/** Returns the key if this wallet has approved it and the approval lasts. */
export function keyFor(wallet: string | null, now: number): OrderKey | null {
  const held = pageKey.get()
  if (held === null || wallet === null || held.wallet !== wallet.toLowerCase() || held.until <= now) return null
  return held.key
}
