import { event, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, instant, okTrue, walletAddress } from '../common.ts'
import { agentOwner } from './accounts.ts'

export const scopeDenied = refusal('scope_denied', {
  status: 403,
  title: 'Not with an agent key',
  meaning: 'Only an owner may do this; no agent key may, whatever its scopes.',
  fix: 'Sign in as the owner with POST /auth/wallet/session, and repeat the call with the session.',
})

const wrongStatus = refusal('wrong_status', {
  status: 409,
  title: 'Paired with another owner',
  meaning: 'The agent is paired with another owner already, and an agent has one owner.',
  fix: 'Register another agent for this owner. The code stays valid until it expires.',
})

const agentLimit = refusal('agent_limit', {
  status: 409,
  title: 'Too many agents',
  meaning: 'The owner of the code has as many paired agents as an owner may have.',
  fix: 'Use one of the agents that are paired already.',
  details: z.object({ limit: z.int().min(1).max(1000) }),
})

/** Refusals of pairing. */
export const pairingRefusals = { scopeDenied, wrongStatus, agentLimit } as const

const pairCode = z
  .string()
  .max(9)
  .regex(
    /^[0-9B-DF-TV-Zb-df-tv-z]{4}-?[0-9B-DF-TV-Zb-df-tv-z]{4}$/,
    'write the code as given: two groups of four digits and letters (never A, E or U), such as "7KQ2-M9XD"',
  )

/** How an owner and an agent are paired. */
export const pairingOperations = {
  createPairCode: operation({
    summary: 'Make a code that pairs an agent with you, its owner',
    description:
      'The code is valid for one pairing within 15 minutes, and shown only here. An owner has at most 5 live codes and makes at most 10 an hour.',
    auth: 'account',
    // With a narrower scope, an agent key would be refused for its scope instead of for being an agent key.
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
    summary: 'Pair your agent with the owner who made the code',
    description:
      'Sets the owner of the agent and opens its policy for mandates. Pairing with the same owner again changes owner_may_spend alone. If several agents send one code, one of them is paired. ' +
      'Five wrong codes in 15 minutes stop an agent until the first of them is 15 minutes old.',
    auth: 'agent',
    limit: 'hub_write',
    http: 'POST /hub/agents/pair',
    tool: 'hub_pair',
    toolTitle: 'Pair with an owner',
    idempotent: true,
    input: z.strictObject({
      code: pairCode.meta({ description: 'Pair code of the owner', example: '7KQ2-M9XD' }),
      owner_may_spend: z.boolean().default(false).meta({ description: 'Let the owner spend your Cherry' }),
    }),
    success: {
      200: z.object({
        ok: okTrue,
        owner: agentOwner,
        agent_id: accountId,
        agent_wallet: walletAddress,
        wallet_ready: z.boolean().meta({ description: "Whether the wallet can act under this owner's mandates" }),
        accepts_mandates: z.boolean(),
        owner_may_spend: z.boolean(),
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
  revokeOwnerSpending: operation({
    summary: 'Take back that your owner may spend your Cherry',
    description: 'Pair again with a new code of the same owner and owner_may_spend to allow it again.',
    auth: 'agent',
    limit: 'hub_write',
    http: 'DELETE /hub/agents/me/owner-spending',
    input: z.strictObject({}),
    success: { 200: z.object({ ok: okTrue, owner_may_spend: z.literal(false) }) },
  }),
}

/** Facts about pairings. */
export const pairingEvents = {
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
}
