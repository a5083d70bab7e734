import { randomUUID } from 'node:crypto'
import type { PreparedCall } from '@svc/chain'
import { usdcText } from '@svc/limits'
import type { Address, LocalAccount } from 'viem'
import { ask, type Answer, type Ask } from '#flow/client.ts'
import { registerAgent, signIn, type Agent } from '#flow/people.ts'
import type { AgentPlan, MandatePlan } from './plan.ts'

/** An owner with a session. */
export interface Owner {
  readonly wallet: LocalAccount
  readonly token: string
}

/** A mandate that its owner signed, with the call that creates its vault. */
export interface Signed {
  readonly publicId: string
  readonly creation: Pick<PreparedCall, 'to' | 'data'>
}

/** Asks and returns the body. Throws for an answer that is not good. */
async function good(url: string, path: string, asked: Ask): Promise<Answer['body']> {
  const once = asked.body === undefined ? {} : { idempotencyKey: randomUUID() }
  const { status, body } = await ask(url, path, { ...once, ...asked })
  if (status >= 300) throw new Error(`${path} answered ${status} ${JSON.stringify(body)}`)
  return body
}

/** Signs an owner in. */
export async function openOwner(url: string, wallet: LocalAccount): Promise<Owner> {
  const { token } = await signIn(url, wallet)
  return { wallet, token }
}

/** Registers an agent and pairs it with its owner, which opens its policy. */
export async function openAgent(
  url: string,
  { name }: Pick<AgentPlan, 'name'>,
  wallet: LocalAccount,
  owner: Owner,
): Promise<Agent> {
  const agent = await registerAgent(url, name, wallet)
  const { code } = await good(url, '/hub/agents/pair-code', { token: owner.token, body: {} })
  await good(url, '/hub/agents/pair', { key: agent.key, body: { code } })
  return agent
}

/** Lets the first key of an agent transact. */
export async function grantTransactions(url: string, agent: Agent, owner: Owner): Promise<void> {
  const { items } = await good(url, '/auth/agent/keys', { key: agent.key })
  const path = `/hub/agents/${agent.id}/keys/${items[0].key_id}/scopes`
  await good(url, path, { token: owner.token, body: { scopes: ['read', 'write', 'tx'] } })
}

/** Tightens the policy of an agent: at most five mandates, of at most 1,000 USDC. */
export async function tightenPolicy(url: string, agentId: number, owner: Owner): Promise<void> {
  const path = `/hub/agents/${agentId}/policy`
  const { policy } = await good(url, path, { token: owner.token })
  await good(url, path, {
    method: 'PUT',
    token: owner.token,
    body: { ...policy, max_open_mandates: 5, max_budget_usdc: '1000' },
  })
}

/** Drafts a mandate with an agent, signs it and lets the agent accept it. */
export async function signMandate(
  url: string,
  plan: MandatePlan,
  { owner, agent, endsAt }: { readonly owner: Owner; readonly agent: Agent; readonly endsAt: Date },
): Promise<Signed> {
  const { token, wallet } = owner
  const { mandate } = await good(url, '/hub/mandates', {
    token,
    body: {
      name: `Mandate of day ${plan.from + 1}`,
      budget_usdc: usdcText(plan.budget),
      per_tx_cap_usdc: usdcText(capOf(plan)),
      daily_cap_usdc: usdcText(plan.budget / 2n),
      stop_line_usdc: usdcText(plan.stopLine),
      approval_above_usdc: plan.approvalAbove === null ? null : usdcText(plan.approvalAbove),
      markets: ['testvenue'],
      ends_at: endsAt.toISOString(),
      fee_bps: 1_000,
      agent_id: agent.id,
      public_proof: plan.publicProof,
    },
  })
  const path = `/hub/mandates/${mandate.public_id}`
  await good(url, `${path}/accept`, { key: agent.key, body: {} })
  const terms = await good(url, `${path}/terms`, { token })
  const signature = await wallet.signTypedData(terms.typed_data)
  await good(url, `${path}/sign`, { token, body: { signature, terms_hash: terms.terms_hash } })
  const { call } = await good(url, `${path}/create-call`, { token })
  return { publicId: mandate.public_id, creation: { to: call.to as Address, data: call.data } }
}

/** The most that one call of a mandate may spend: a fifth of the budget. */
export const capOf = ({ budget }: Pick<MandatePlan, 'budget'>): bigint => budget / 5n
