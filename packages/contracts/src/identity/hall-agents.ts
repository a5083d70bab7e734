import { operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, instant, walletAddress } from '../common.ts'
import { policyDirection, policyItemName, POLICY_CHANGES_MAX } from './policy.ts'

/** Most agents, and most owners, of which one call asks. */
export const HALL_AGENTS_MAX = 200
export const HALL_OWNERS_MAX = 500

/** An agent as the Hall knows it. */
const hallAgent = z.object({
  agent_id: accountId,
  name: z.string().max(64),
  registered_at: instant,
  wallet: walletAddress,
  owner_id: accountId.nullable().meta({ description: 'The paired owner; null while no owner has paired it' }),
  accepts_mandates: z.boolean(),
  policy_changes: z
    .array(z.object({ changed_at: instant, direction: policyDirection, items: z.array(policyItemName).max(8) }))
    .max(POLICY_CHANGES_MAX)
    .meta({ description: 'The last 10 changes, newest first, with the names of the items that changed' }),
})
export type HallAgent = z.output<typeof hallAgent>

/** Operations that tell gallery what the Hall shows and compares of agents and owners. */
export const hallAgentOperations = {
  readHallAgents: operation({
    summary: 'Look up agents as the Hall shows them; null for an unknown id',
    auth: 'service',
    callers: ['gallery'],
    input: z.strictObject({ agent_ids: z.array(accountId).min(1).max(HALL_AGENTS_MAX) }),
    success: { 200: z.object({ agents: z.array(hallAgent.nullable()).max(HALL_AGENTS_MAX) }) },
  }),
  readHallOwners: operation({
    summary:
      'Look up the wallets of owners, to tell whether an owner shares the wallet of an agent; null for an unknown id',
    auth: 'service',
    callers: ['gallery'],
    input: z.strictObject({ owner_ids: z.array(accountId).min(1).max(HALL_OWNERS_MAX) }),
    success: {
      200: z.object({
        owners: z.array(z.object({ owner_id: accountId, wallet: walletAddress }).nullable()).max(HALL_OWNERS_MAX),
      }),
    },
  }),
  listHallAgents: operation({
    summary: 'List the ids of all agents, for a rebuild of what gallery keeps of them',
    auth: 'service',
    callers: ['gallery'],
    input: z.strictObject({
      after: accountId.optional().meta({ description: 'Last agent of the previous page' }),
      limit: z.int().min(1).max(1_000).default(1_000),
    }),
    success: { 200: z.object({ agent_ids: z.array(accountId).max(1_000) }) },
  }),
} as const
