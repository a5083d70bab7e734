import { callerOf, type Call } from '@svc/service'
import type { AccountKind } from './context.ts'

/** Returns the calling account. The operation's auth word must admit only agents and owners. */
export function accountOf(call: Call): { readonly id: number; readonly kind: AccountKind } {
  const { account_id, kind } = callerOf(call)
  if (kind === 'service') throw new Error('a service account has no ledger account')
  return { id: account_id, kind }
}
