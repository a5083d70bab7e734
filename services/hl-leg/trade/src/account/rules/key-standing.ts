/** An order key of which the venue lists none. */
export interface UnlistedKey {
  readonly state: 'none' | 'offered' | 'enabled' | 'revoked' | 'expired' | 'orphaned'
  /** Whether the seed of this deployment derives it. */
  readonly isOurs: boolean
  /** Until when the approval was listed at its last reading. */
  readonly validUntil: Date | null
}

/**
 * Decides what became of an enabled key that the venue does not list, or whose seed is gone; null for a key that was
 * never enabled or is lost already. A lost seed comes first: nothing can be signed, whatever the venue lists.
 */
export function keyStanding(
  { state, isOurs, validUntil }: UnlistedKey,
  now: Date,
): 'revoked' | 'expired' | 'orphaned' | null {
  if (state !== 'enabled') return null
  if (!isOurs) return 'orphaned'
  return validUntil !== null && validUntil <= now ? 'expired' : 'revoked'
}
