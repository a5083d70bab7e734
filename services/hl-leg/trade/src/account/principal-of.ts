import type { Caller } from '@svc/contract'
import type { Context } from '#context.ts'

/** The owner for whom a caller trades; `agentId` is the agent that called, null for the owner. */
export interface Principal {
  readonly ownerId: number
  readonly agentId: number | null
}

/** Returns whose account a caller trades: an owner's own, or that of the owner whom an agent is paired with. */
export async function principalOf(
  { identity }: Pick<Context, 'identity'>,
  { account_id, kind }: Pick<Caller, 'account_id' | 'kind'>,
): Promise<Principal | { readonly refusal: 'agent_not_paired' }> {
  if (kind === 'owner') return { ownerId: account_id, agentId: null }
  const { agents } = await identity.readAgents({ agent_ids: [account_id] })
  const owner = agents[0]?.owner ?? null
  return owner === null ? { refusal: 'agent_not_paired' } : { ownerId: owner.owner_id, agentId: account_id }
}
