import { event, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, agentIdInPath, instant, okTrue, walletAddress } from '../common.ts'
import { label } from '../label.ts'
import { mandateBrief } from '../mandates/overview.ts'
import { agentOwner, notYourAgent } from './accounts.ts'
import { apiKey, keyId, keyItem, scope } from './keys.ts'
import { agentPolicy } from './policy.ts'
import { proof, proofRefusals } from './wallets.ts'

/** Agents that one owner may pair. */
export const PAIRED_AGENTS_MAX = 100

export const alreadyRegistered = refusal('already_registered', {
  status: 409,
  title: 'Already registered',
  meaning: 'This wallet has an agent account.',
  fix: 'Make a new key with POST /auth/agent/keys, with a key or a fresh signature of purpose "key".',
})

export const unknownAgentKey = refusal('unknown_agent_key', {
  status: 404,
  title: 'Unknown key',
  meaning: 'The agent has no live key with this id.',
  fix: 'Look up the keys of the agent with GET /hub/agents/{agent_id}.',
})

const channel = z.enum(['http', 'mcp']).meta({ description: 'How it called: plain HTTP or MCP' })

const seen = {
  last_seen_at: instant.nullable().meta({ description: 'Stored at most once in 30 seconds; null while never seen' }),
  channel: channel.nullable(),
}

/** An agent as itself and its owner see it. */
const agentView = z
  .object({
    agent_id: accountId,
    name: z.string().max(64),
    wallet: walletAddress,
    registered_at: instant,
    owner: agentOwner.nullable().meta({ description: 'null while no owner has paired it' }),
    paired_at: instant.nullable(),
    policy: agentPolicy,
    policy_updated_at: instant.nullable(),
    ...seen,
    agent_keys: z.object({
      count: z.int().min(0).max(1000).nullable().meta({ description: 'Active keys; null when unreadable' }),
    }),
  })
  .meta({ title: 'Agent' })

/** Agents: how they register, and how they and their owners read them. */
export const agentOperations = {
  registerAgent: operation({
    summary: 'Register your agent and get its first API key',
    description:
      'Only this answer shows the API key, which has the scopes read and write. A welcome credit of 10 Cherry follows.',
    auth: 'open',
    limit: 'account',
    http: 'POST /auth/agent/register',
    idempotent: true,
    secret: true,
    input: z.strictObject({
      ...proof,
      agent_name: label(64).meta({ description: 'Name of the agent, chosen freely', example: 'Night watch' }),
    }),
    success: {
      201: z.object({
        ok: okTrue,
        user_id: accountId,
        api_key: apiKey,
        welcome_cherry: z.literal(10),
        tier: z.literal('free'),
      }),
    },
    refusals: [...proofRefusals, alreadyRegistered],
  }),
  listAgents: operation({
    summary: 'List the agents paired with you',
    description: 'Returns the agents of an owner, by id; for an agent key, the agent itself.',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/agents',
    input: z.strictObject({}),
    success: { 200: z.object({ items: z.array(agentView).max(PAIRED_AGENTS_MAX), next_cursor: z.null() }) },
  }),
  readOwnAgent: operation({
    summary: 'Read who you are: your account, agent or agents, and newest mandates',
    description:
      'For an agent key, agent is the agent with its policy. For an owner session, agent is null and paired_agents lists the agents of the owner.',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/agents/me',
    tool: 'hub_me',
    input: z.strictObject({}),
    success: {
      200: z.object({
        account_id: accountId,
        kind: z.enum(['agent', 'owner']),
        wallet: walletAddress,
        agent: agentView.nullable(),
        paired_agents: z.array(agentView).max(PAIRED_AGENTS_MAX),
        mandates: z.array(mandateBrief).max(50).nullable().meta({
          description: 'The newest mandates that name the agent, or that the owner owns; null when unreadable',
        }),
        agent_keys: z.object({
          count: z
            .int()
            .min(0)
            .max(100_000)
            .nullable()
            .meta({ description: 'Active keys of the agent, or of all paired agents; null when unreadable' }),
        }),
      }),
    },
  }),
  readAgent: operation({
    summary: 'Read one of your agents with its keys',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/agents/{agent_id}',
    input: z.strictObject({ agent_id: agentIdInPath }),
    success: {
      200: agentView.extend({
        keys: z.array(keyItem).max(100).meta({ description: 'Live keys, oldest first, without their secrets' }),
      }),
    },
    refusals: [notYourAgent],
  }),
  setKeyScopes: operation({
    summary: 'Set the scopes of a key of an agent that you own',
    description:
      'Replaces the scopes of the key everywhere within a second. No other operation grants scope tx, which lets the agent transact under your mandates.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'POST /hub/agents/{agent_id}/keys/{key_id}/scopes',
    idempotent: true,
    input: z.strictObject({
      agent_id: agentIdInPath,
      key_id: keyId,
      scopes: z
        .array(scope)
        .min(1)
        .max(3)
        .refine((names) => new Set(names).size === names.length, 'name each scope once')
        .meta({ example: ['read', 'write', 'tx'] }),
    }),
    success: { 200: z.object({ ok: okTrue, agent_id: accountId, key_id: keyId, scopes: z.array(scope).max(3) }) },
    refusals: [notYourAgent, unknownAgentKey],
  }),
  noteActivity: operation({
    summary: 'Store when and how agents were last seen',
    auth: 'service',
    callers: ['gateway'],
    input: z.strictObject({
      seen: z
        .array(z.strictObject({ account_id: accountId, channel, at: instant }))
        .min(1)
        .max(500),
    }),
    success: { 200: z.object({ noted: z.int().min(0).max(500) }) },
  }),
  findAgentsByWallet: operation({
    summary: 'Find the agents of wallets',
    auth: 'service',
    callers: ['gallery'],
    input: z.strictObject({ wallets: z.array(walletAddress).min(1).max(1_000) }),
    success: {
      200: z.object({
        agents: z.array(z.object({ agent_id: accountId, wallet: walletAddress, name: z.string() })).max(1_000),
      }),
    },
  }),
  readAgents: operation({
    summary: 'Read agents with their policy, their owner and the end of their keys; null for an unknown id',
    auth: 'service',
    callers: ['mandates', 'hl-trade', 'gallery', 'subscriptions', 'research-reports'],
    input: z.strictObject({ agent_ids: z.array(accountId).min(1).max(500) }),
    success: {
      200: z.object({
        agents: z.array(
          z
            .object({
              agent_id: accountId,
              name: z.string(),
              wallet: walletAddress,
              owner: agentOwner.nullable(),
              // An identity of an earlier version does not say it.
              owner_may_spend: z.boolean().default(false),
              policy: agentPolicy,
              access_ends_at: instant.nullable().meta({
                description:
                  'When the last live key with scope write expires; null if one never expires, or if none is live',
              }),
              ...seen,
            })
            .nullable(),
        ),
      }),
    },
  }),
}

/** Facts about agents. */
export const agentEvents = {
  agentRegistered: event({
    money: true,
    summary: 'A wallet registered an agent account',
    payload: z.object({
      account_id: accountId,
      wallet: walletAddress,
      agent_name: z.string(),
      registered_at: instant,
    }),
  }),
  keyScopesChanged: event({
    summary: 'The owner of an agent changed what a key may do',
    payload: z.object({
      account_id: accountId,
      key_id: keyId,
      scopes: z.array(scope),
      changed_by: accountId,
      changed_at: instant,
    }),
  }),
}
