import type { Scope } from '@svc/contract'

/** Live keys an account may hold at once. */
export const KEYS_MAX = 20

/** Who asks for a key: a key of the account, or its wallet by a fresh signature (null). */
export type Grantor = { readonly scopes: readonly Scope[]; readonly expiresAt: Date | null } | null

export type GrantProblem = 'scope' | 'outlives' | 'past' | 'too_many'

/**
 * Whether a key may be made. A key never gives more than the grantor has: not a scope it lacks, not a
 * longer life. `tx` is not asked for here at all: only the paired owner grants it.
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
