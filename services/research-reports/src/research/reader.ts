import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import { notYourAgent } from '@svc/contracts/identity/accounts'
import { callerOf, type Call } from '@svc/service'
import type { Context } from '#context.ts'

/** Tier from which research and reports are read. */
const TIER = 1

/**
 * Returns the account whose targets and reports a call reads: the caller's own, or that of a paired agent which its owner
 * names. Refuses an agent of somebody else, and an account below the tier.
 */
export async function readerOf(context: Context, call: Call, agentId: number | undefined): Promise<number> {
  const caller = callerOf(call)
  const own = agentId === undefined || agentId === caller.account_id
  if (!own && (caller.kind !== 'owner' || (await context.ownerOfAgent(agentId)) !== caller.account_id))
    refuse(notYourAgent)
  const account = own ? caller.account_id : agentId
  const tier = own ? caller.tier : await context.tierOf(account)
  if (tier < TIER)
    refuse(common.tierRequired, undefined, { required_tier: TIER, upgrade: 'POST /subscriptions/cherries/subscribe' })
  return account
}
