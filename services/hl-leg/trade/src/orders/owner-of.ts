import { refuse } from '@svc/contract'
import { orderRefused } from '@svc/contracts/hl-trade/orders'
import { callerOf, type Call } from '@svc/service'
import { principalOf, type Principal } from '#account/principal-of.ts'
import type { Context } from '#context.ts'
import { judgeTrade } from './rules/judge-trade.ts'
import { refusalView } from './rules/refusal-view.ts'
import { emptyFacts } from './rules/empty-facts.ts'

/** Returns whose orders a caller may read and place. Refuses an agent that no owner has paired (`agent_not_paired`). */
export async function ownerOf(context: Pick<Context, 'identity'>, call: Call): Promise<Principal> {
  const principal = await principalOf(context, callerOf(call))
  if (!('refusal' in principal)) return principal
  const facts = { ...emptyFacts, mode: 'paper' as const, isPaired: false }
  const [finding] = judgeTrade(facts)
  const refusal = refusalView(facts, finding ?? null)
  return refuse(orderRefused, 'No owner has paired this agent.', {
    refusal,
    reason: null,
    fix: refusal.fix,
    human_action: { who: 'owner', url: '/ui/agent', route: 'POST /hub/agents/pair-code' },
  })
}
