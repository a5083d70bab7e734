import { operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, agentIdInPath, common, cursor, instant, okTrue, queryInt } from './common.ts'
import { notYourAgent } from './identity/agents.ts'
import { mandateSummary } from './mandates-detail.ts'
import { address, chainId, count, publicId, sentence, txHash } from './mandates-fields.ts'

const amount = z
  .string()
  .regex(
    /^(?:0|[1-9]\d{0,40})(?:\.\d{1,18})?$/,
    'write a plain decimal string: no sign, no exponent, at most 18 decimals',
  )
  .max(60)
/** Amounts added up, which are longer than any of them. */
const sum = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,58})(?:\.\d{1,18})?$/)
  .max(78)
const asset = z
  .string()
  .regex(/^(?:0x[0-9a-fA-F]{40}|[A-Za-z0-9.]{1,20})$/, 'use the address of the token or its symbol')
  .max(42)
  .meta({ description: 'Contract of the token, or its symbol', example: 'USDC' })

const transferView = z.object({
  transfer_id: count,
  agent_id: accountId,
  chain_id: chainId,
  asset,
  amount,
  tx_hash: txHash,
  direction: z.enum(['in', 'out']),
  state: z.enum(['in_transit', 'delivered']),
  reason: z
    .enum(['waiting_for_chain', 'chain_not_read', 'asset_not_read', 'no_such_movement'])
    .nullable()
    .meta({ description: 'Why it is still in transit; null once delivered' }),
  eta_at: instant.nullable(),
  reported_at: instant,
  delivered_at: instant.nullable(),
})
export type TransferView = z.output<typeof transferView>

export const transferReported = refusal('hub_transfer_reported', {
  status: 409,
  title: 'Reported before',
  meaning: 'A transfer with this transaction, asset, direction and amount was reported by this agent.',
  fix: 'Read its state with GET /hub/agents/{agent_id}/activity.',
  details: z.object({ transfer_id: count }),
})

/** Money and news of agents. */
export const agentMoneyOperations = {
  readBalances: operation({
    summary: 'Read the balances of an agent in their four states',
    description:
      'Per chain and asset. idle is in the wallet or in vaults and free, reserved is held by approvals, in_transit and delivered are reported transfers.',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/agents/{agent_id}/balances',
    tool: 'agent_balances',
    input: z.strictObject({ agent_id: agentIdInPath }),
    success: {
      200: z.object({
        agent_id: accountId,
        items: z
          .array(
            z.object({
              chain_id: chainId,
              asset,
              idle: sum.nullable().meta({ description: 'Null while the wallet cannot be read' }),
              idle_in_wallet: sum.nullable(),
              idle_in_vaults: sum,
              reserved: sum,
              in_transit: sum,
              delivered: sum,
            }),
          )
          .max(200),
        computed_at: instant,
      }),
    },
    refusals: [notYourAgent],
  }),
  listOffers: operation({
    summary: 'List the mandates that wait for an agent to accept',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/agents/{agent_id}/offers',
    tool: 'agent_offers',
    input: z.strictObject({ agent_id: agentIdInPath, limit: queryInt(1, 100, 50), cursor: cursor.optional() }),
    success: {
      200: z.object({
        items: z
          .array(
            mandateSummary.extend({
              signed: z.boolean().meta({
                description: 'The owner has signed the terms; false: a draft, which the owner may still change',
              }),
            }),
          )
          .max(100),
        next_cursor: cursor.nullable(),
      }),
    },
    refusals: [common.invalidRequest, notYourAgent],
  }),
  listActivity: operation({
    summary: 'List what happened to an agent',
    description:
      'Steps of its mandates that are its own or move money, its transfers, USDC that arrived at its wallet (once its deposit address was asked for), and what its Cherry balance was moved by, newest first.',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/agents/{agent_id}/activity',
    tool: 'agent_activity',
    input: z.strictObject({ agent_id: agentIdInPath, limit: queryInt(1, 100, 50), cursor: cursor.optional() }),
    success: {
      200: z.object({
        items: z
          .array(
            z.object({
              at: instant,
              kind: z.string().max(40),
              what: z.enum(['event', 'balance', 'transfer', 'cherry']),
              public_id: publicId.nullable(),
              seq: count.nullable().meta({ description: 'Entry of the record' }),
              transfer_id: count.nullable(),
              cherry_transfer_id: count.nullable().meta({ description: 'As in GET /subscriptions/cherries/history' }),
              tx_hash: txHash.nullable(),
              body: z.record(z.string().max(100), z.unknown()),
            }),
          )
          .max(100),
        next_cursor: cursor.nullable(),
      }),
    },
    refusals: [common.invalidRequest, notYourAgent],
  }),
  readDepositAddress: operation({
    summary: 'Get the wallet of an agent that is on file',
    description:
      'An address that the agent registered with; the service holds no key to it and no money in it. USDC that arrives there from then on stands in the activity of the agent.',
    auth: 'account',
    scope: 'read',
    limit: 'hub_read',
    http: 'POST /hub/agents/{agent_id}/deposit-address',
    input: z.strictObject({ agent_id: agentIdInPath, chain_id: z.int().min(1).max(Number.MAX_SAFE_INTEGER) }),
    success: {
      200: z.object({
        ok: okTrue,
        agent_id: accountId,
        chain_id: chainId,
        address,
        custody: z.literal(false),
        watched: z.boolean().meta({ description: 'Whether USDC that arrives there is seen' }),
        detail: sentence,
      }),
    },
    refusals: [notYourAgent],
  }),
  reportTransfer: operation({
    summary: 'Report a transfer of your own',
    description:
      'It is in transit until the chain shows a confirmed movement of that asset and amount from or to your wallet or a vault of yours, each movement for one transfer. ' +
      'Of those reported within an hour 50 are looked for at the same time.',
    auth: 'agent',
    limit: 'hub_write',
    http: 'POST /hub/transfers/report',
    tool: 'transfer_report',
    idempotent: true,
    input: z.strictObject({
      agent_id: accountId,
      chain_id: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
      asset,
      amount: amount.refine((text) => /[1-9]/.test(text), 'must be above zero'),
      tx_hash: txHash,
      direction: z.enum(['in', 'out']),
      eta_seconds: z.int().min(0).max(2_592_000).optional(),
    }),
    success: { 201: z.object({ ok: okTrue, transfer: transferView }) },
    refusals: [common.invalidRequest, common.rateLimited, notYourAgent, transferReported],
  }),
} as const
