import { refuse, type Caller } from '@svc/contract'
import { notYourAgent } from '@svc/contracts/identity/accounts'
import type { Db, Tx } from '@svc/postgres'
import { callerOf, type Call } from '@svc/service'
import type { Agent } from '#neighbours/agents-client.ts'
import type { Context } from '#context.ts'
import type { Mandate } from './rules/mandate.ts'
import { findMandate, lockMandate, type Party } from './store/mandates.ts'
import { vaultOfMandate } from '#books/store/vaults.ts'
import { unknownMandate, vaultNotAttached } from '@svc/contracts/mandates/refusals'
import { standing, type Vault } from '#books/rules/vault.ts'

/** Returns the party of a caller: owners see the mandates they own, agents those that name them. */
export function partyOf(call: Call): Party {
  const caller = callerOf(call)
  return caller.kind === 'owner' ? { ownerId: caller.account_id } : { agentId: caller.account_id }
}

/** Returns a mandate that the caller may see; refuses any other with `unknownMandate`. */
export async function mandateOfCaller(db: Db, publicId: string, call: Call): Promise<Mandate> {
  return (await findMandate(db, publicId, partyOf(call), call.now)) ?? refuse(unknownMandate)
}

/** Locks a mandate that the caller may see; refuses any other with `unknownMandate`. Lock the vault first, if at all. */
export async function lockMandateOfCaller(tx: Tx, publicId: string, call: Call): Promise<Mandate> {
  return (await lockMandate(tx, publicId, partyOf(call), call.now)) ?? refuse(unknownMandate)
}

/** Returns the caller's mandate with its vault; refuses an unknown mandate, and one without a vault on the chain. */
export async function attachedMandate(
  { pool }: Context,
  publicId: string,
  call: Call,
): Promise<{ readonly mandate: Mandate; readonly vault: Vault }> {
  const mandate = await mandateOfCaller(pool, publicId, call)
  const vault = standing(await vaultOfMandate(pool, mandate.id))
  if (vault === null) refuse(vaultNotAttached)
  return { mandate, vault }
}

/** Returns the agent if the caller is this agent or its paired owner; refuses any other with `notYourAgent`. */
export async function agentOfCaller({ agentsClient }: Context, agentId: number, call: Call): Promise<Agent> {
  const caller = callerOf(call)
  const agent = caller.kind === 'agent' && caller.account_id !== agentId ? null : await agentsClient.readAgent(agentId)
  const foreign = caller.kind === 'owner' && agent?.owner?.owner_id !== caller.account_id
  return agent === null || foreign ? refuse(notYourAgent) : agent
}

/** Returns account and wallet of an owner's session. */
export function ownerOf(caller: Caller): { readonly id: number; readonly wallet: string } {
  if (caller.wallet === null) throw new Error('an owner has a wallet')
  return { id: caller.account_id, wallet: caller.wallet.toLowerCase() }
}
