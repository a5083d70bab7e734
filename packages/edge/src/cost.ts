import type { OperationDeclaration } from '@svc/contract'

/** What a call with a credential costs: one request of the day, a place in a bucket of a minute, or nothing. */
export const costOf = ({ limit = 'daily' }: Pick<OperationDeclaration, 'limit'>): 'per day' | 'per minute' | 'free' =>
  limit === 'daily' ? 'per day' : limit === 'none' ? 'free' : 'per minute'
