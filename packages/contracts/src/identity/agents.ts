import { event, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, agentIdInPath, cherry, common, instant, okTrue, walletAddress } from '../common.ts'
import { keyId, keyItem, scope } from './keys.ts'
import { marketId, usdc } from '../mandates/fields.ts'
import { mandateBrief } from '../mandates/overview.ts'

/** Agents that one owner may pair. */
export const PAIRED_AGENTS_MAX = 100

export const notYourAgent = refusal('not_your_agent', {
  status: 404,
  title: 'Not your agent',
  meaning: 'There is no such agent, or you are neither that agent nor the owner it is paired with.',
  fix: 'Look your agents up with GET /hub/agents; pair one with POST /hub/agents/pair-code.',
})

export const unknownAgentKey = refusal('unknown_agent_key', {
  status: 404,
  title: 'Unknown key',
  meaning: 'The agent has no live key with this id.',
  fix: 'Look the keys of the agent up with GET /hub/agents/{agent_id}.',
})

export const scopeDenied = refusal('scope_denied', {
  status: 403,
  title: 'Not with an agent key',
  meaning: 'A pair code is made by an owner; an agent key is never enough.',
  fix: 'Sign in as the owner with POST /auth/wallet/session, and give the code to the agent.',
})

export const wrongStatus = refusal('wrong_status', {
  status: 409,
  title: 'Paired with another owner',
  meaning: 'The agent is paired with another owner already, and an agent has one owner.',
  fix: 'Register another agent for this owner. The code stays good until it expires.',
})

export const agentLimit = refusal('agent_limit', {
  status: 409,
  title: 'Too many agents',
  meaning: 'The owner of the code has as many paired agents as one may have.',
  fix: 'Use one of the agents that are paired already.',
  details: z.object({ limit: z.int().min(1).max(1000) }),
})

/** Where an agent was last seen. */
export const channel = z.enum(['http', 'mcp']).meta({ description: 'How it called: plain HTTP or MCP' })

const limitedUsdc = (what: string) =>
  usdc.nullable().meta({ description: `${what}, USDC; null sets no limit, "0" allows nothing` })

const policyItems = {
  accepts_mandates: z.boolean().meta({ description: 'Whether the agent takes mandates at all' }),
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
      'Largest approval amount of a mandate: it must hold every spending above this; null asks for no approval, "0" for one each time',
  }),
  daily_cherry_budget: cherry
    .nullable()
    .meta({ description: 'Cherry the agent may spend on paid reads in a UTC day; null sets no limit' }),
}

/** The eight items of an agent's policy. Amounts are decimal strings without needless zeros in answers. */
export const agentPolicy = z.object(policyItems).meta({ title: 'AgentPolicy' })
export type AgentPolicy = z.output<typeof agentPolicy>

/** What holds for an agent whose policy was never opened. */
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

const party = z.object({ owner_id: accountId, wallet: walletAddress }).meta({ title: 'AgentOwner' })
const direction = z
  .enum(['tighten', 'widen', 'mixed'])
  .meta({ description: 'Whether the change only took away, only allowed more, or both' })

const policyChange = z
  .object({
    change_id: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
    changed_at: instant,
    changed_by: party,
    cause: z
      .enum(['paired', 'replaced'])
      .meta({ description: 'A pairing opened the policy, or the owner replaced it' }),
    direction,
    before: agentPolicy,
    after: agentPolicy,
  })
  .meta({ title: 'PolicyChange' })

const policyAnswer = {
  agent_id: accountId,
  policy: agentPolicy,
  updated_at: instant.nullable().meta({ description: 'null while the policy was never opened' }),
  changes: z.array(policyChange).max(10).meta({ description: 'The last 10 changes, newest first' }),
}

const seen = {
  last_seen_at: instant.nullable().meta({ description: 'Noted at most once in 30 seconds; null while never seen' }),
  channel: channel.nullable(),
}

/** An agent as itself and its owner see it. */
export const agentView = z
  .object({
    agent_id: accountId,
    name: z.string().max(64),
    wallet: walletAddress,
    registered_at: instant,
    owner: party.nullable().meta({ description: 'null while no owner has paired it' }),
    paired_at: instant.nullable(),
    policy: agentPolicy,
    policy_updated_at: instant.nullable(),
    ...seen,
    agent_keys: z.object({
      count: z.int().min(0).max(1000).nullable().meta({ description: 'Active keys; null when unreadable' }),
    }),
  })
  .meta({ title: 'Agent' })

const pairCode = z
  .string()
  .max(9)
  .regex(
    /^[0-9B-DF-TV-Zb-df-tv-z]{4}-?[0-9B-DF-TV-Zb-df-tv-z]{4}$/,
    'write the code as given: two groups of four digits and letters (never A, E or U), such as "7KQ2-M9XD"',
  )

/** Routes of agents: who they are, their policy, their pairing with an owner. */
export const agentOperations = {
  createPairCode: operation({
    summary: 'Make a code that pairs an agent with you',
    description:
      'Good for one pairing within 15 minutes, and shown only here. An owner has at most 5 live codes and makes at most 10 an hour.',
    auth: 'account',
    // An agent key of any scope is to be told that it is an agent key, not that it lacks a scope.
    scope: 'read',
    limit: 'hub_write',
    http: 'POST /hub/agents/pair-code',
    idempotent: true,
    secret: true,
    input: z.strictObject({}),
    success: {
      201: z.object({
        ok: okTrue,
        code: z.string().max(9).meta({ description: 'XXXX-XXXX', example: '7KQ2-M9XD' }),
        expires_at: instant,
        ttl_seconds: z.int().min(1).max(900),
        instruction: z.string().max(400).meta({ description: 'What to tell the agent' }),
      }),
    },
    refusals: [scopeDenied, common.rateLimited],
  }),
  pairAgent: operation({
    summary: 'Pair this agent with the owner who made the code',
    description:
      'Sets the owner of the agent and opens its policy for mandates. Of several agents that show one code, one is paired. ' +
      'Five wrong codes in 15 minutes stop an agent until the first of them is 15 minutes old.',
    auth: 'agent',
    limit: 'hub_write',
    http: 'POST /hub/agents/pair',
    tool: 'hub_pair',
    idempotent: true,
    input: z.strictObject({ code: pairCode.meta({ description: 'Pair code of the owner', example: '7KQ2-M9XD' }) }),
    success: {
      200: z.object({
        ok: okTrue,
        owner: party,
        agent_id: accountId,
        agent_wallet: walletAddress,
        wallet_ready: z.boolean().meta({ description: "Whether the wallet can act under this owner's mandates" }),
        accepts_mandates: z.boolean(),
        next: z.string().max(400).meta({ description: 'What the agent does next' }),
        wallet_steps: z
          .array(z.string().max(400))
          .max(5)
          .optional()
          .meta({ description: 'What makes the wallet ready, when it is not' }),
      }),
    },
    refusals: [common.notFound, common.rateLimited, wrongStatus, agentLimit],
  }),
  listAgents: operation({
    summary: 'List your agents',
    description: 'The agents paired with the owner, by id; for an agent key, the agent itself.',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/agents',
    input: z.strictObject({}),
    success: { 200: z.object({ items: z.array(agentView).max(PAIRED_AGENTS_MAX), next_cursor: z.null() }) },
  }),
  readOwnAgent: operation({
    summary: 'Read who you are as an agent',
    description:
      "The caller's agent identity, policy, mandates and keys. For an owner session, agent is null and paired_agents holds the owner's agents.",
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/agents/me',
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
  readPolicy: operation({
    summary: "Read an agent's policy and its last 10 changes",
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/agents/{agent_id}/policy',
    input: z.strictObject({ agent_id: agentIdInPath }),
    success: { 200: z.object(policyAnswer) },
    refusals: [notYourAgent],
  }),
  replacePolicy: operation({
    summary: "Replace an agent's whole policy",
    description:
      'All eight items must be sent. Only the owner the agent is paired with may do it: an agent never changes its own limits. ' +
      'A policy equal to the present one changes nothing and leaves no row.',
    auth: 'owner',
    limit: 'hub_write',
    http: 'PUT /hub/agents/{agent_id}/policy',
    input: z.strictObject({ agent_id: agentIdInPath, ...policyItems }),
    success: {
      200: z.object({
        ok: okTrue,
        direction: direction.nullable().meta({ description: 'null when nothing changed' }),
        ...policyAnswer,
      }),
    },
    refusals: [notYourAgent],
  }),
  setKeyScopes: operation({
    summary: "Set the scopes of an agent's key",
    description:
      'The only way to grant scope tx. Replaces the scopes of the key; takes effect everywhere within a second.',
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
        .refine((names) => new Set(names).size === names.length, 'name each scope once'),
    }),
    success: { 200: z.object({ ok: okTrue, agent_id: accountId, key_id: keyId, scopes: z.array(scope).max(3) }) },
    refusals: [notYourAgent, unknownAgentKey],
  }),
  noteActivity: operation({
    summary: 'Note when and how agents were last seen',
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
  readAgents: operation({
    summary: 'Read agents with their policy and owner; null where there is none',
    auth: 'service',
    callers: ['mandates'],
    input: z.strictObject({ agent_ids: z.array(accountId).min(1).max(500) }),
    success: {
      200: z.object({
        agents: z.array(
          z
            .object({
              agent_id: accountId,
              name: z.string(),
              wallet: walletAddress,
              owner: party.nullable(),
              policy: agentPolicy,
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
  agentPaired: event({
    summary: 'An agent has an owner',
    payload: z.object({
      agent_id: accountId,
      owner_id: accountId,
      agent_wallet: walletAddress,
      owner_wallet: walletAddress,
      paired_at: instant,
    }),
  }),
  policyChanged: event({
    summary: "An agent's policy changed",
    payload: z.object({
      agent_id: accountId,
      owner_id: accountId,
      change_id: z.int(),
      direction,
      before: agentPolicy,
      after: agentPolicy,
      changed_at: instant,
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
