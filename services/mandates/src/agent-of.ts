import { refuse } from '@svc/contract'
import { notYourAgent } from '@svc/contracts/identity-agents'
import { callerOf, type Call } from '@svc/service'
import type { AgentParty } from './acting-parts.ts'
import type { Context } from './context.ts'

/** The agent that the caller is, or that is paired with the caller as its owner; anything else is refused. */
export async function agentOf({ acting }: Context, call: Call, agentId: number): Promise<AgentParty> {
  const caller = callerOf(call)
  const agent = caller.kind === 'agent' && caller.account_id !== agentId ? null : await acting.readAgent(agentId)
  if (agent === null || (caller.kind === 'owner' && agent.ownerId !== caller.account_id)) refuse(notYourAgent)
  return agent
}
