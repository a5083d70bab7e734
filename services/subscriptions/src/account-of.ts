import { callerOf, type Call } from '@svc/service'
import type { AccountKind } from './context.ts'

/** The calling account; the operation's auth word admits agents and owners only. */
export function accountOf(call: Call): { readonly id: number; readonly kind: AccountKind } {
  const { account_id, kind } = callerOf(call)
  if (kind === 'service') throw new Error('a service account has no ledger account')
  return { id: account_id, kind }
}
