import { ok } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { callerOf, type BoundHandler, type Call } from '@svc/service'
import { principalOf, type Principal } from '#account/principal-of.ts'
import type { Context } from '#context.ts'
import { factsOf, readAccountFacts } from '../account-facts.ts'
import { capsOf } from '../caps-of.ts'
import { modeOf } from '../mode-of.ts'
import { emptyFacts } from '../rules/empty-facts.ts'
import { judgeTrade, type TradeFacts } from '../rules/judge-trade.ts'

export const readAgentStatus: BoundHandler<Context, typeof hlTrade.operations.readAgentStatus> =
  (context) => async (input, call) => {
    const principal = await askedFor(context, call, input.agent_id ?? null)
    const { facts, mode } = principal === null ? unpaired(context) : await factsFor(context, principal)
    const findings = judgeTrade(facts)
    return ok(200, {
      may_trade: findings.length === 0,
      mode,
      reasons: findings.map(({ code }) => code),
      fix: findings[0]?.fix ?? null,
      fixes: findings.map(({ code, fix }) => ({ reason: code, fix })),
    })
  }

/** Returns whose status is asked for; null if the agent is not paired, or not with this owner. */
async function askedFor(context: Context, call: Call, agentId: number | null): Promise<Principal | null> {
  const caller = callerOf(call)
  const asked = caller.kind === 'owner' && agentId !== null ? { account_id: agentId, kind: 'agent' as const } : caller
  const principal = await principalOf(context, asked)
  if ('refusal' in principal) return null
  return caller.kind === 'owner' && principal.ownerId !== caller.account_id ? null : principal
}

const unpaired = ({ settings: { liveTrading } }: Context) => ({
  facts: { ...emptyFacts, by: 'agent' as const, liveTrading, isPaired: false },
  mode: 'paper' as const,
})

/** Judges an opening order of which nothing is known but who asks. */
async function factsFor(context: Context, principal: Principal) {
  const { ownerId, agentId } = principal
  const account = await readAccountFacts(context, principal, true)
  const who = { ownerId, accountId: agentId ?? ownerId, door: 'terminal' as const }
  const { caps } = await capsOf(context, context.pool, who)
  const builderConfigured = context.settings.builderAddress !== null
  const by = agentId === null ? ('owner' as const) : ('agent' as const)
  const facts: TradeFacts = {
    ...emptyFacts,
    ...factsOf(account, { by, closing: false, builderConfigured, needsKey: by === 'agent' }),
    caps,
  }
  return { facts, mode: modeOf(context, account.own) }
}
