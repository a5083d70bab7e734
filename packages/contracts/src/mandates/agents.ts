import { operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, agentIdInPath, common, cursor, instant, queryInt } from '../common.ts'
import { notYourAgent } from '../identity/accounts.ts'
import { chainId, count, publicId, txHash } from './fields.ts'
import { mandateSummary } from './mandate.ts'
import { unknownAgent } from './refusals.ts'
import { asset } from './transfers.ts'

/** A sum of amounts; it may be longer than an amount. */
const sum = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,58})(?:\.\d{1,18})?$/)
  .max(78)

/** Greatest number of agents in a call. */
export const STRIPS_MAX = 50

const level = z.enum(['Newcomer', 'Scout', 'Builder', 'Veteran', 'Pioneer'])

const parts = {
  agent_id: accountId,
  ladder: z
    .object({
      level,
      verified_claims: count,
      next_level: level.nullable().meta({ description: 'Null at the top' }),
      claims_to_next: count.nullable(),
    })
    .nullable()
    .meta({
      description: 'Level by verified claims of both kinds: Newcomer 0, Scout 1, Builder 5, Veteran 20, Pioneer 50',
    }),
  hall: z
    .object({
      ranked: z.boolean(),
      rank: count.nullable().meta({ description: 'Rank in the Hall; null while the Hall does not rank the agent' }),
      days_live: count,
      trades: count,
      days_needed: count,
      trades_needed: count,
    })
    .nullable()
    .meta({
      description:
        'An agent is ranked after 14 days and 10 trades. Null if the Hall cannot be read. For an agent that it does not have yet, days run from the first vault of a mandate to now, or to the end of the last mandate; a trade is an execution on the chain or a filled order of the leg.',
    }),
  limits: z
    .object({
      refusals_taken: count,
      mandates: count,
      mandates_kept_inside_limits: count,
      reports_contradicting_chain: count.meta({ description: 'Reported trades that contradict the chain' }),
    })
    .nullable()
    .meta({ description: 'Mandates with a vault, and how many of them have no violation' }),
  work: z
    .object({
      task_market_claims: count.meta({ description: 'Claims of a task market that an admin verified' }),
      knowledge_claims: count.meta({
        description:
          'Submissions of token metadata that reviewers approved and the ledger has paid, and claims of the knowledge graph that an admin verified',
      }),
    })
    .nullable(),
  paper: z.null().meta({ description: 'No paper record is stored per agent' }),
}

const strip = z.object(parts).meta({ title: 'RecordStrip' })
export type RecordStrip = z.output<typeof strip>

/** Operations on balances, offers, activity and Record strips of agents. */
export const agentOperations = {
  readBalances: operation({
    summary: 'Read the balances of an agent that you are or own, in four states',
    description:
      'One item for each chain and asset. idle is free in the wallet or in vaults, reserved is held by approvals, in_transit and delivered are reported transfers.',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/agents/{agent_id}/balances',
    tool: 'agent_balances',
    toolTitle: 'Balances of an agent',
    input: z.strictObject({ agent_id: agentIdInPath }),
    success: {
      200: z.object({
        agent_id: accountId,
        items: z
          .array(
            z.object({
              chain_id: chainId,
              asset,
              idle: sum.nullable().meta({ description: 'Null if the wallet cannot be read' }),
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
    summary: 'List the mandates that wait for the confirmation of an agent that you are or own',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/agents/{agent_id}/offers',
    tool: 'agent_offers',
    toolTitle: 'Mandates offered to an agent',
    input: z.strictObject({ agent_id: agentIdInPath, limit: queryInt(1, 100, 50), cursor: cursor.optional() }),
    success: {
      200: z.object({
        items: z
          .array(
            mandateSummary.extend({
              signed: z.boolean().meta({
                description: 'True if the owner has signed the terms; the owner can still change a draft',
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
    summary: 'List the activity of an agent that you are or own, newest first',
    description:
      'Actions of the agent and movements of money on its mandates, its reported transfers, USDC that arrived at its wallet (after the first request of its deposit address), and movements of its Cherry balance.',
    auth: 'account',
    limit: 'hub_read',
    http: 'GET /hub/agents/{agent_id}/activity',
    tool: 'agent_activity',
    toolTitle: 'Activity of an agent',
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
              seq: count.nullable().meta({ description: 'Number of the entry in the record' }),
              transfer_id: count.nullable(),
              cherry_transfer_id: count
                .nullable()
                .meta({ description: 'Transfer of GET /subscriptions/cherries/history' }),
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
  readStrips: operation({
    summary: 'Read the public Record strips of up to 50 agents',
    description: 'Items are in the order of ids; unknown_ids lists the ids of no agent.',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/agents/records',
    tool: 'agent_records',
    toolTitle: 'Record strips of agents',
    cacheSec: 20,
    sharedAnswer: true,
    input: z.strictObject({
      ids: z
        .string()
        .max(799)
        .regex(/^[1-9]\d{0,14}(?:,[1-9]\d{0,14}){0,49}$/, 'write 1 to 50 agent ids separated by commas')
        .meta({ description: 'Agent ids separated by commas, at most 50', example: '17,18' }),
    }),
    success: {
      200: z.object({
        items: z.array(strip).max(STRIPS_MAX),
        unknown_ids: z.array(accountId).max(STRIPS_MAX),
        computed_at: instant,
      }),
    },
  }),
  readStrip: operation({
    summary: 'Read the public Record strip of an agent',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/agents/{agent_id}/record',
    tool: 'agent_record',
    toolTitle: 'Record strip of an agent',
    cacheSec: 20,
    sharedAnswer: true,
    input: z.strictObject({ agent_id: agentIdInPath }),
    success: {
      200: z.object({
        ...parts,
        posting_tier: z
          .int()
          .min(0)
          .max(2)
          .nullable()
          .meta({ description: 'Tier of the account, 0 = Free; null if it cannot be read' }),
        computed_at: instant,
      }),
    },
    refusals: [unknownAgent],
  }),
} as const
