import { ok } from '@svc/contract'
import { clausesOf, type MandateTerms } from '@svc/chain'
import type { mandates } from '@svc/contracts/mandates'
import type { Market } from '@svc/contracts/mandates/limits'
import { limitsCodec } from '@svc/contracts/mandates/limit-schemas'
import { figuresOf, type Limits } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import { getAddress, zeroAddress } from 'viem'
import type { Context } from '#context.ts'
import { ruleContext } from '#drafts/checked-draft.ts'
import { draftProblems } from '#drafts/rules/draft-rules.ts'
import { withLegBudget } from '#drafts/rules/leg-rules.ts'
import { refusingItem } from '#drafts/rules/policy.ts'
import { termsMarkets } from '#limits/market-catalogue.ts'
import { countOpenOfAgent } from '#mandate/store/mandates.ts'
import { presentDeployment } from '#neighbours/deployment.ts'
import { clausesView, inForce } from '../clauses-view.ts'

const PROBLEMS_MAX = 20

export const previewDraft: BoundHandler<Context, typeof mandates.operations.previewDraft> =
  (context) =>
  async ({ limits: given, agent_id: agentId }, call) => {
    const rules = await ruleContext(context, call.now)
    const limits = withSuggestedLeg(withLegBudget(limitsCodec.decode(given), rules.legFunding))
    const agent = agentId === null ? null : await context.agentsClient.readAgent(agentId)
    const open = agent === null ? 0 : await countOpenOfAgent(context.pool, agent.agent_id, null)
    const problems = draftProblems(limits, rules).slice(0, PROBLEMS_MAX)
    const terms = termsOfLimits(context, limits, agent?.wallet ?? null, rules.markets)
    return ok(200, {
      limits: limitsCodec.encode(limits),
      chain_id: context.deployment.chainId,
      problems,
      policy_item: agent === null ? null : refusingItem(agent.policy, limits, open),
      clauses: clausesView(terms, clausesOf(terms), await inForce(context, call.now)),
    })
  }

/** Returns limits with half the budget for the leg, where it does not follow from the markets. */
const withSuggestedLeg = (limits: Limits): Limits =>
  limits.hlLeg && limits.legBudget === null ? { ...limits, legBudget: limits.budget / 2n } : limits

/** Returns the terms of limits whose owner is not known yet; without an agent they name the zero address. */
function termsOfLimits(
  context: Context,
  limits: Limits,
  agentWallet: string | null,
  markets: readonly Market[],
): MandateTerms {
  const { version, usdc, legGateway } = presentDeployment(context, { limits })
  const agent = agentWallet === null ? zeroAddress : getAddress(agentWallet)
  return {
    mandateId: 'mdt_preview',
    owner: zeroAddress,
    agent,
    feeRecipient: agent,
    usdc: usdc ?? zeroAddress,
    legGateway,
    ...figuresOf(limits),
    legBudget: version === 2 ? (limits.legBudget ?? 0n) : 0n,
    markets: termsMarkets(limits.markets, markets),
  }
}
