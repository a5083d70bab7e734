import { refuse } from '@svc/contract'
import { notYourAgent } from '@svc/contracts/identity/accounts'
import { spendingNotAllowed } from '@svc/contracts/subscriptions/ledger'
import { callerOf, type Call } from '@svc/service'
import type { AccountKind, Context } from './context.ts'

interface Account {
  readonly id: number
  readonly kind: AccountKind
}

/** Returns the calling account. The operation's auth word must admit only agents and owners. */
export function accountOf(call: Call): Account {
  const { account_id, kind } = callerOf(call)
  if (kind === 'service') throw new Error('a service account has no ledger account')
  return { id: account_id, kind }
}

/**
 * Returns the account that a call reads or spends from: the caller's own, or that of a paired agent which its owner names.
 * Refuses an agent of somebody else, and with `spends` one that has not allowed its owner to spend.
 */
export async function accountFor(
  { pairingOf }: Pick<Context, 'pairingOf'>,
  agentId: number | undefined,
  call: Call,
  { spends = false }: { readonly spends?: boolean } = {},
): Promise<Account> {
  const own = accountOf(call)
  if (agentId === undefined || agentId === own.id) return own
  const pairing = own.kind === 'owner' ? await pairingOf(agentId) : null
  if (pairing?.ownerId !== own.id) return refuse(notYourAgent)
  if (spends && !pairing.ownerMaySpend) return refuse(spendingNotAllowed)
  return { id: agentId, kind: 'agent' }
}
