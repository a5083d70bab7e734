import { refuse, type Caller } from '@svc/contract'
import { notYourAgent } from '@svc/contracts/identity/accounts'
import type { AgentPolicy } from '@svc/contracts/identity/policy'
import type { Context } from '#context.ts'

/** The agent that a draft names, with what it accepts. */
export interface AdoptingAgent {
  readonly agent_id: number
  readonly policy: AgentPolicy
}

/** Which agent a caller wants. */
interface Wanted {
  readonly agent: 'own' | 'house'
  readonly agent_id?: number | undefined
}

type Asking = Pick<Context, 'ask' | 'settings'>

/**
 * Returns the agent that a draft names: the house runner, the caller, or an agent paired with it. Null without a house
 * runner, and for an owner with no agent or with several of which none is named.
 */
export async function adoptingAgent(context: Asking, caller: Caller, wanted: Wanted): Promise<AdoptingAgent | null> {
  const { houseRunnerId } = context.settings
  if (wanted.agent === 'house')
    return houseRunnerId === null ? null : ((await agentsOf(context, [houseRunnerId]))[0] ?? null)
  if (caller.kind === 'agent') {
    if (wanted.agent_id !== undefined && wanted.agent_id !== caller.account_id) refuse(notYourAgent)
    return (await agentsOf(context, [caller.account_id]))[0] ?? null
  }
  const ids = wanted.agent_id === undefined ? await partyOf(context, caller.account_id) : [wanted.agent_id]
  const paired = (await agentsOf(context, ids)).filter(({ owner }) => owner?.owner_id === caller.account_id)
  if (wanted.agent_id !== undefined && paired.length === 0) refuse(notYourAgent)
  return paired.length === 1 ? (paired[0] ?? null) : null
}

async function agentsOf({ ask }: Asking, ids: readonly number[]) {
  if (ids.length === 0) return []
  return (await ask.identity.readAgents({ agent_ids: [...ids] })).agents.filter((agent) => agent !== null)
}

/** Returns the other accounts of the party of an owner. */
async function partyOf({ ask }: Asking, ownerId: number): Promise<readonly number[]> {
  const { account_ids } = await ask.identity.relatedAccounts({ account_id: ownerId })
  return account_ids.filter((id) => id !== ownerId)
}
