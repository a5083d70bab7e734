import { isAllowlisted, missingOf, type SellerOperator, type SellerStanding } from './may-publish.ts'

/** A listing that is not withdrawn, with its seller. */
export interface Tended {
  readonly status: 'live' | 'suspended' | 'withdrawn'
  readonly operators: readonly SellerOperator[]
  /** Null while the Hall has no good row of the seller. */
  readonly standing: SellerStanding | null
}

/** Returns the state that a listing enters now, with the reason; null if it stays as it is. */
export function nextStatus({ status, operators, standing }: Tended): {
  readonly status: 'live' | 'suspended' | 'withdrawn'
  readonly reason: string
} | null {
  if (status === 'withdrawn') return { status, reason: 'its operator has ended' }
  const isFree = isAllowlisted(operators)
  const hasEnded = operators.length > 0 && operators.every(({ ended_at }) => ended_at !== null)
  // An unknown record is no broken rule; but nothing else than its operator allowed this seller to publish.
  if (!isFree && standing === null && !hasEnded) return null
  const missing = isFree ? null : missingOf(standing)
  if (status === 'live' && missing !== null) return { status: 'suspended', reason: missing }
  if (status === 'suspended' && missing === null)
    return { status: 'live', reason: 'the seller fulfils the rule for sellers again' }
  return null
}
