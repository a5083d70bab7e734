import { refuse, type Caller } from '@svc/contract'
import { invalidListing } from '@svc/contracts/gallery/listing-refusals'
import { notOnAllowlist } from '@svc/contracts/gallery/operators'
import type { Context } from '#context.ts'
import { findOperatorVault } from '#operators/store/operators.ts'

/** What a caller says of the agent that sells. */
interface Named {
  readonly agent_id?: number | undefined
  readonly ref_vault_id?: string | undefined
}

/** Returns the agent that sells: the caller, or an agent paired with the owner who calls. */
export async function sellingAgent({ pool, ask }: Pick<Context, 'pool' | 'ask'>, caller: Caller, named: Named) {
  if (caller.kind === 'agent') {
    if (named.agent_id !== undefined && named.agent_id !== caller.account_id)
      refuse(invalidListing, undefined, {}, [
        {
          pointer: '/agent_id',
          code: 'not_you',
          detail: `must be absent or ${caller.account_id}: an agent publishes for itself`,
        },
      ])
    return caller.account_id
  }
  const vault = named.ref_vault_id === undefined ? null : await findOperatorVault(pool, named.ref_vault_id)
  const agentId = named.agent_id ?? vault?.agent_id
  // Whether a vault that is not yours exists stays unknown.
  if (agentId === undefined && named.ref_vault_id !== undefined) refuse(notOnAllowlist)
  if (agentId === undefined)
    refuse(invalidListing, undefined, {}, [
      {
        pointer: '/agent_id',
        code: 'required',
        detail: 'must be the agent of yours that publishes, or name its vault',
      },
    ])
  if (!(await isPaired({ ask }, caller.account_id, agentId)))
    refuse(notOnAllowlist, 'The agent is not paired with you. Publish with an agent of GET /hub/agents.')
  return agentId
}

/** Returns true if the caller is the agent itself, or the owner it is paired with. */
export async function speaksFor({ ask }: Pick<Context, 'ask'>, caller: Caller, agentId: number): Promise<boolean> {
  return caller.kind === 'agent' ? caller.account_id === agentId : isPaired({ ask }, caller.account_id, agentId)
}

async function isPaired({ ask }: Pick<Context, 'ask'>, ownerId: number, agentId: number): Promise<boolean> {
  const { agents } = await ask.identity.readAgents({ agent_ids: [agentId] })
  return agents[0]?.owner?.owner_id === ownerId
}
