import { isDeepStrictEqual } from 'node:util'
import { refuse } from '@svc/contract'
import { usdcUnits } from '@svc/contracts/common/usdc'
import type { Db } from '@svc/postgres'
import type { Agent } from '#neighbours/agents-client.ts'
import type { Context } from '#context.ts'
import { deploymentFor, legFundingOn, type VaultDeployment } from '#neighbours/deployment.ts'
import { draftProblems, type RuleContext } from './rules/draft-rules.ts'
import { legProblems, withLegBudget, type LegRuleContext } from './rules/leg-rules.ts'
import type { Limits } from '@svc/limits'
import type { AgentOfMandate, Mandate } from '#mandate/rules/mandate.ts'
import { refusingItem } from './rules/policy.ts'
import { countOpenOfAgent } from '#mandate/store/mandates.ts'
import { agentNotPossible, invalidMandate, policyRefuses, unknownAgent } from '@svc/contracts/mandates/refusals'

/** Days until a draft of an account lapses. */
const DRAFT_DAYS = 30
const DAY_MS = 86_400_000
/** Returns when a draft of an account lapses that is stored or changed now. */
export const draftExpiry = (now: Date): Date => new Date(now.getTime() + DRAFT_DAYS * DAY_MS)
/** Greatest number of drafts of an account. */
export const DRAFTS_MAX = 100

/** Returns what the rules of limits depend on now. */
export async function ruleContext({ catalogue, settings }: Context, now: Date) {
  return { now, markets: await catalogue.marketsAt(now), ...legRuleContext(settings) } satisfies RuleContext
}

function legRuleContext(settings: Context['settings']): LegRuleContext {
  return {
    hlLegEnabled: settings.hlLegEnabled,
    legFunding: legFundingOn(settings),
    legMin: usdcUnits(settings.legMinUsdc),
  }
}

/**
 * Returns the limits of a body, with the budget of the leg that follows from the others. Refuses limits that break a rule; the
 * refusal names each field and its allowed values.
 */
export async function validLimits(context: Context, given: Limits, now: Date): Promise<Limits> {
  const rules = await ruleContext(context, now)
  const limits = withLegBudget(given, rules.legFunding)
  const problems = draftProblems(limits, rules)
  if (problems.length > 0) refuse(invalidMandate, undefined, {}, problems)
  return limits
}

/**
 * Returns the chain and the factory for which the owner of a mandate signs now. Refuses a mandate whose leg is not possible with
 * the present switches, such as one that was drafted while vaults funded legs.
 */
export function signingDeployment({ deployment, settings }: Context, { limits }: Mandate): VaultDeployment {
  const rules = legRuleContext(settings)
  // A vault that funds no leg has no budget of one, whatever was drafted while vaults funded legs.
  const problems = legProblems(limits.hlLeg && !rules.legFunding ? { ...limits, legBudget: 0n } : limits, rules)
  if (problems.length > 0) refuse(invalidMandate, undefined, {}, problems)
  return deploymentFor(deployment, limits, rules.legFunding)
}

/** Returns the account that is to be the agent. Refuses an unknown account and an account with the owner's wallet. */
export async function possibleAgent(context: Context, agentId: number, ownerWallet: string): Promise<Agent> {
  const agent = await context.agentsClient.readAgent(agentId)
  if (agent === null) refuse(unknownAgent)
  if (agent.wallet.toLowerCase() === ownerWallet.toLowerCase()) refuse(agentNotPossible)
  return agent
}

/** Refuses limits that the agent's policy does not accept. The mandate `mandateId` does not count as open. */
export async function mustFitPolicy(db: Db, agent: Agent, limits: Limits, mandateId: number | null): Promise<void> {
  const open = await countOpenOfAgent(db, agent.agent_id, mandateId)
  const item = refusingItem(agent.policy, limits, open)
  if (item !== null)
    refuse(policyRefuses, `The agent's policy does not accept these limits: see ${item} of the policy.`, { item })
}

/** Returns the agent as a mandate stores it. */
export const designated = (agent: Agent): AgentOfMandate => ({ id: agent.agent_id, wallet: agent.wallet.toLowerCase() })

/** Returns the acceptance that a changed draft keeps: none if the agent or the limits changed. */
export function acceptanceOf(before: Mandate, after: Pick<Mandate, 'agent' | 'limits'>): Date | null {
  const same = before.agent?.id === after.agent?.id && isDeepStrictEqual(before.limits, after.limits)
  return same ? before.acceptedAt : null
}
