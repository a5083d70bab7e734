import { operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, agentIdInPath, okTrue } from '../common.ts'
import { notYourAgent } from '../identity/accounts.ts'
import { address, chainId, preparedCall, publicId, sentence, usdc, walletTransaction } from './fields.ts'
import * as refusals from './refusals.ts'

const estimate = { quoted: z.literal(false).meta({ description: 'An estimate, not a quote' }) }

/** Operations on ways to deposit money. */
export const depositOperations = {
  listDepositRoutes: operation({
    summary: 'List the routes by which owners can deposit money, best first',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/deposit/routes',
    cacheSec: 20,
    sharedAnswer: true,
    input: z.strictObject({}),
    success: {
      200: z.object({
        items: z
          .array(
            z.object({
              route_id: z.string().max(60),
              title: z.string().max(120),
              from: z.object({ chain: z.string().max(60), asset: z.string().max(40) }),
              to: z.object({ chain: z.string().max(60), asset: z.string().max(40) }),
              steps: z.array(z.string().max(300)).max(10),
              fee_usdc: usdc.nullable().meta({ description: 'Null if unknown; does not include network gas' }),
              eta_seconds: z.int().min(0).max(604_800).nullable(),
              ...estimate,
            }),
          )
          .max(20),
        next_cursor: z.null(),
      }),
    },
  }),
  listDepositAssets: operation({
    summary: 'List the assets that owners can deposit',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/deposit/assets',
    cacheSec: 20,
    sharedAnswer: true,
    input: z.strictObject({}),
    success: {
      200: z.object({
        items: z
          .array(
            z.object({
              chain: z.string().max(60),
              chain_id: z.int().min(1).max(Number.MAX_SAFE_INTEGER).nullable(),
              asset: z.string().max(40),
              address: address.nullable(),
              decimals: z.int().min(0).max(36).nullable(),
              direct: z.boolean().meta({ description: 'True if a vault accepts the asset without a conversion' }),
            }),
          )
          .max(50),
        next_cursor: z.null(),
      }),
    },
  }),
  planFunding: operation({
    summary: 'Get the calls that deposit USDC into the vault of a mandate that you own',
    auth: 'owner',
    limit: 'hub_read',
    http: 'GET /hub/mandates/{public_id}/fund',
    input: z.strictObject({ public_id: publicId, amount_usdc: usdc.optional() }),
    success: {
      200: z.object({
        public_id: publicId,
        vault: address,
        chain_id: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
        usdc: address,
        room_usdc: usdc.meta({ description: 'USDC that still fits into the budget' }),
        best_way_in: z.object({ chain: z.string().max(60), asset: z.string().max(40) }),
        amount_usdc: usdc.nullable(),
        calls: z
          .object({ approve: preparedCall, deposit: preparedCall })
          .nullable()
          .meta({ description: 'Send approve first, then deposit; null without amount_usdc' }),
        txs: z.object({ approve: walletTransaction, deposit: walletTransaction }).nullable(),
        faucet: preparedCall.nullable().meta({
          description: 'On a test chain: pays the sender 1,000 test USDC, once in 24 hours; null elsewhere',
        }),
      }),
    },
    refusals: [
      refusals.unknownMandate,
      refusals.vaultNotAttached,
      refusals.wrongState,
      refusals.invalidMandate,
      refusals.legMinDeposit,
    ],
  }),
  readDepositAddress: operation({
    summary: 'Get the wallet address at which an agent that you are or own receives deposits',
    description:
      'Returns the wallet that the agent registered; the service has no key to it. USDC that arrives there after this call is listed in the activity of the agent.',
    auth: 'account',
    scope: 'read',
    limit: 'hub_read',
    http: 'POST /hub/agents/{agent_id}/deposit-address',
    input: z.strictObject({
      agent_id: agentIdInPath,
      chain_id: z.int().min(1).max(Number.MAX_SAFE_INTEGER).meta({ example: 31337 }),
    }),
    success: {
      200: z.object({
        ok: okTrue,
        agent_id: accountId,
        chain_id: chainId,
        address,
        custody: z.literal(false),
        watched: z.boolean().meta({ description: 'True if arriving USDC is watched' }),
        detail: sentence,
      }),
    },
    refusals: [notYourAgent],
  }),
} as const
