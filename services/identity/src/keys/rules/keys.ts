import type { Scope } from '@svc/contract'

/** Live keys that an account may have at once. */
export const KEYS_MAX = 20

/** What a new key is granted by: a key of the account, or a fresh signature of its wallet (null). */
export type Grantor = { readonly scopes: readonly Scope[]; readonly expiresAt: Date | null } | null

export type GrantProblem = 'scope' | 'outlives' | 'past' | 'too_many'

/**
 * Returns why a key may not be made; null if it may. A key never has a scope that its grantor lacks, nor a longer life.
 * `tx` cannot be granted this way: only the paired owner grants it.
 */
export function judgeGrant(
  wish: { scopes: readonly Scope[]; expiresAt: Date | null },
  grantor: Grantor,
  liveKeys: number,
  now: Date,
): GrantProblem | null {
  if (wish.scopes.includes('tx')) return 'scope'
  if (wish.expiresAt !== null && wish.expiresAt <= now) return 'past'
  if (grantor !== null) {
    if (!wish.scopes.every((scope) => grantor.scopes.includes(scope))) return 'scope'
    if (grantor.expiresAt !== null && (wish.expiresAt === null || wish.expiresAt > grantor.expiresAt)) return 'outlives'
  }
  return liveKeys >= KEYS_MAX ? 'too_many' : null
}
