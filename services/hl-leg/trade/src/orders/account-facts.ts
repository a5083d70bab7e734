import type { Address } from 'viem'
import { isLegBound } from '#account/leg-bound.ts'
import { ownAccountOf, type OwnAccount } from '#account/own-account.ts'
import type { Context } from '#context.ts'
import type { AgentMandate, NotLinked, TradeFacts } from './rules/judge-trade.ts'

/** What an order is judged by, as far as it belongs to the owner and the agent rather than to the order. */
export interface AccountFacts {
  readonly own: OwnAccount | null
  readonly liveTrading: boolean
  readonly mandates: readonly AgentMandate[] | null
  readonly isLegBound: boolean
}

/** Who asks for an order: an owner, or an agent for its owner. */
export interface Asking {
  readonly ownerId: number
  readonly agentId: number | null
}

/**
 * Reads what belongs to owner and agent. `opening` asks hl-leg whether a leg trades in the account, which no close waits
 * for. Rejects with an outage.
 */
export async function readAccountFacts(
  context: Context,
  { ownerId, agentId }: Asking,
  opening: boolean,
): Promise<AccountFacts> {
  const own = await ownAccountOf(context, ownerId)
  const [mandates, bound] = await Promise.all([
    agentId === null ? null : mandatesOf(context, ownerId, agentId),
    opening && own !== null ? isLegBound(context, own.wallet as Address) : false,
  ])
  return { own, liveTrading: context.settings.liveTrading, mandates, isLegBound: bound }
}

/** Reads the mandates between an owner and an agent. Rejects with an outage. */
export async function mandatesOf(context: Context, ownerId: number, agentId: number): Promise<readonly AgentMandate[]> {
  const { mandates } = await context.mandates.listAgentMandates({ owner_id: ownerId, agent_id: agentId })
  return mandates.map((one) => ({
    publicId: one.public_id,
    isWorking: one.state === 'working',
    perTxCapUsdc: one.per_tx_cap_usdc,
    markets: one.markets,
  }))
}

/** Returns true if the order key of an account may sign for it: it is enabled, and the fee that its orders carry is approved. */
export const signsHere = ({ own }: Pick<AccountFacts, 'own'>): boolean =>
  own !== null && own.orderKey.state === 'enabled' && own.builderFee.approved

/** Returns why an account may not be traded this way; null if it may. */
function notLinkedOf(facts: AccountFacts, { by, closing, needsKey }: FactsScope): NotLinked | null {
  const { own, isLegBound: bound } = facts
  if (own === null) return 'not_linked'
  // Whatever the venue made of the account meanwhile, its owner may leave.
  if (own.refused !== null && !(closing && by === 'owner')) return 'wallet_refused'
  if (needsKey && !signsHere(facts)) return 'key_not_enabled'
  return bound && !closing ? 'leg_bound' : null
}

/** An account of a deployment with a builder may close without its approval: such an order carries no fee. */
function builderOf(facts: AccountFacts, configured: boolean, closing: boolean): TradeFacts['builder'] {
  if (!configured || facts.own === null || closing) return 'none'
  return facts.own.builderFee.approved ? 'approved' : 'missing'
}

/** What decides which facts of an account count. */
export interface FactsScope {
  readonly by: 'owner' | 'agent'
  readonly closing: boolean
  readonly builderConfigured: boolean
  /** True if the order key of the account must sign: for an agent, and for what was prepared for it. */
  readonly needsKey: boolean
}

/** Returns the members of the judgement that belong to owner and agent. */
export const factsOf = (facts: AccountFacts, scope: FactsScope) => ({
  mode: 'live' as const,
  by: scope.by,
  closing: scope.closing,
  liveTrading: facts.liveTrading,
  isPaired: true,
  mandates: facts.mandates,
  builder: builderOf(facts, scope.builderConfigured, scope.closing && scope.by === 'owner'),
  notLinked: notLinkedOf(facts, scope),
})
