import { event, operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, agentIdInPath, cherry, instant, okTrue } from '../common.ts'
import { marketId, usdc } from '../mandates/fields.ts'
import { agentOwner, notYourAgent } from './accounts.ts'

const limitedUsdc = (what: string) =>
  usdc.nullable().meta({ description: `${what}, USDC; null sets no limit, "0" allows nothing` })

const policyItems = {
  accepts_mandates: z.boolean().meta({ description: 'Whether the agent accepts mandates at all' }),
  max_open_mandates: z
    .int()
    .min(0)
    .max(100_000)
    .nullable()
    .meta({ description: 'Most mandates open at once; null sets no limit' }),
  max_budget_usdc: limitedUsdc('Largest budget of one mandate'),
  per_tx_cap_usdc: limitedUsdc('Largest per-transaction cap of a mandate'),
  daily_cap_usdc: limitedUsdc('Largest daily cap of a mandate'),
  allowed_markets: z
    .array(marketId)
    .max(100)
    .refine((ids) => new Set(ids).size === ids.length, 'name each market once')
    .nullable()
    .meta({ description: 'Markets a mandate may name; null allows any, [] none' }),
  approval_above_usdc: usdc.nullable().meta({
    description:
      'Largest approval amount of a mandate: the mandate must require approval of every spending above it; null requires no approval, "0" one for each spending',
  }),
  daily_cherry_budget: cherry
    .nullable()
    .meta({ description: 'Cherry the agent may spend on paid reads in a UTC day; null sets no limit' }),
}

/** The eight items of an agent's policy. Amounts are decimal strings; in answers without needless zeros. */
export const agentPolicy = z.object(policyItems).meta({ title: 'AgentPolicy' })
export type AgentPolicy = z.output<typeof agentPolicy>

/** The policy of an agent that was never paired: it accepts no mandates. */
export const CLOSED_POLICY: AgentPolicy = {
  accepts_mandates: false,
  max_open_mandates: null,
  max_budget_usdc: null,
  per_tx_cap_usdc: null,
  daily_cap_usdc: null,
  allowed_markets: null,
  approval_above_usdc: null,
  daily_cherry_budget: null,
}

/** Name of an item of the policy. */
export const policyItemName = z.enum(Object.keys(policyItems) as (keyof typeof policyItems)[])
/** How many changes of a policy are shown. */
export const POLICY_CHANGES_MAX = 10

/** How a change affects what an agent may take on. */
export const policyDirection = z
  .enum(['tighten', 'widen', 'mixed'])
  .meta({ description: 'Whether the change only took away, only allowed more, or both' })

const policyChange = z
  .object({
    change_id: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
    changed_at: instant,
    changed_by: agentOwner,
    cause: z
      .enum(['paired', 'replaced'])
      .meta({ description: 'A pairing opened the policy, or the owner replaced it' }),
    direction: policyDirection,
    before: agentPolicy,
    after: agentPolicy,
  })
  .meta({ title: 'PolicyChange' })

const policyAnswer = {
  agent_id: accountId,
  policy: agentPolicy,
  updated_at: instant.nullable().meta({ description: 'null while the policy was never opened' }),
  changes: z.array(policyChange).max(POLICY_CHANGES_MAX).meta({ description: 'The last 10 changes, newest first' }),
}

/** What an agent may take on, as its owner sets it. */
export const policyOperations = {
  readPolicy: operation({
    summary: 'Read the policy of your agent and its last 10 changes',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/agents/{agent_id}/policy',
    input: z.strictObject({ agent_id: agentIdInPath }),
    success: { 200: z.object(policyAnswer) },
    refusals: [notYourAgent],
  }),
  replacePolicy: operation({
    summary: 'Replace the whole policy of an agent that you own',
    description:
      'All eight items must be sent. Only the paired owner may do it: an agent never changes its own limits. ' +
      'A policy equal to the present one changes nothing and adds no row to the changes.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'PUT /hub/agents/{agent_id}/policy',
    input: z.strictObject({ agent_id: agentIdInPath, ...policyItems }).meta({
      example: {
        accepts_mandates: true,
        max_open_mandates: 2,
        max_budget_usdc: '500',
        per_tx_cap_usdc: '50',
        daily_cap_usdc: '150',
        allowed_markets: ['testvenue'],
        approval_above_usdc: '40',
        daily_cherry_budget: null,
      },
    }),
    success: {
      200: z.object({
        ok: okTrue,
        direction: policyDirection.nullable().meta({ description: 'null when nothing changed' }),
        ...policyAnswer,
      }),
    },
    refusals: [notYourAgent],
  }),
}

/** Facts about policies. */
export const policyEvents = {
  policyChanged: event({
    summary: "An agent's policy changed",
    payload: z.object({
      agent_id: accountId,
      owner_id: accountId,
      change_id: z.int(),
      direction: policyDirection,
      before: agentPolicy,
      after: agentPolicy,
      changed_at: instant,
    }),
  }),
}
