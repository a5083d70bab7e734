import type { Caller } from '@svc/contract'
import { callerOf, type Call } from '@svc/service'
import type { Party } from './store/mandates.ts'

/** The mandates that a caller may see: its own as an owner, those that name it as an agent. */
export function partyOf(call: Call): Party {
  const caller = callerOf(call)
  return caller.kind === 'owner' ? { ownerId: caller.account_id } : { agentId: caller.account_id }
}

/** The account and wallet of an owner's session. */
export function ownerOf(caller: Caller): { readonly id: number; readonly wallet: string } {
  if (caller.wallet === null) throw new Error('an owner has a wallet')
  return { id: caller.account_id, wallet: caller.wallet.toLowerCase() }
}
