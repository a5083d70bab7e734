import type { PaidTier, Quote } from './quote.ts'

/** What an account was told that a purchase costs. */
export interface StoredQuote {
  readonly tier: PaidTier
  readonly months: number
  readonly action: Quote['action']
  readonly price: number
  readonly credit: number
  readonly charge: number
  readonly leftover: number
  readonly quotedAt: Date
  readonly expiresAt: Date
  /** Purchase that used it; null while none has. */
  readonly purchaseId: number | null
}

/** Why a quote is not honoured. */
export type Staleness = 'unknown' | 'expired' | 'used' | 'changed'

/** Returns why a quote cannot be honoured by a purchase that costs `bought`; null if it is. */
export function staleness(stored: StoredQuote | null, bought: Quote | null, now: Date): Staleness | null {
  if (stored === null) return 'unknown'
  if (stored.purchaseId !== null) return 'used'
  if (stored.expiresAt <= now) return 'expired'
  if (bought === null) return 'changed'
  const isSame =
    stored.tier === bought.tier &&
    stored.months === bought.months &&
    stored.action === bought.action &&
    stored.price === bought.price &&
    stored.credit === bought.credit &&
    stored.charge === bought.charge &&
    stored.leftover === bought.leftover
  return isSame ? null : 'changed'
}
