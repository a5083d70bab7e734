import { job, operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, instant, okTrue, strangersText } from '../common.ts'
import { legEstimate } from '../hl-leg/orders.ts'
import { legSize, legSlippage } from '../hl-leg/order-schemas.ts'
import { approvalItem, decimalText, legOrderRequest, legOrderSide } from './approvals.ts'
import {
  address,
  calldata,
  chainId,
  count,
  hex32,
  marketId,
  mandateState,
  publicId,
  signedUsdc,
  stateCause,
  usdc,
} from './fields.ts'
import { mandateLimits } from './limit-schemas.ts'
import { chainNotConfigured, unknownMandate, vaultNotAttached } from './refusals.ts'
import { mandateUsage } from './usage.ts'
import { refusalBlock } from './verdict.ts'

/** Most mandates that one call lists. */
export const LEG_MANDATES_MAX = 100

const as = z.enum(['owner', 'agent']).meta({ description: 'In which role the account acts on the mandate' })
const orderKey = z
  .string()
  .max(200)
  .regex(/^[\x21-\x7e]+$/)
  .meta({
    description: 'Key of the order, unique within its mandate: a repetition with the same key is the same order',
  })
const code = z
  .string()
  .max(60)
  .regex(/^[a-z0-9_]+$/)

/** What hl-leg knows of a mandate. */
export const legMandate = z
  .object({
    public_id: publicId,
    name: strangersText(80),
    state: mandateState,
    owner_id: accountId,
    owner_wallet: address,
    agent_id: accountId.nullable(),
    limits: mandateLimits,
    markets: z
      .array(z.object({ market_id: marketId, status: z.enum(['live', 'paper', 'planned']) }))
      .max(32)
      .meta({ description: 'Markets of the signed terms, or of the draft, with their status now' }),
    terms_hash: hex32.nullable(),
    ends_at: instant,
    stop_cause: stateCause
      .extract(['stopped_in_record', 'stopped_by_owner', 'stopped_by_stop_line'])
      .nullable()
      .meta({ description: "Who stopped the mandate; an owner's stop comes before one of the stop line" }),
    stopped_at: instant.nullable().meta({ description: 'The first stop, in the record or on the chain' }),
    agent_acted_at: instant.nullable().meta({
      description: 'Newest request of the agent that names the mandate, to the minute; null before the first',
    }),
    vault: z
      .object({
        address,
        chain_id: chainId,
        version: z.union([z.literal(1), z.literal(2)]),
        accounted_usdc: usdc,
        leg_out_usdc: usdc.meta({ description: 'USDC of the vault that is at the leg' }),
        leg_open: z.boolean(),
        vault_worth_usdc: usdc.nullable().meta({
          description:
            'USDC of the vault and its positions at listed targets: those of the newest mark, with what came and went since. Null if unknown',
        }),
        worth_at: instant.nullable().meta({ description: 'Time of that mark; null without one' }),
        profit_usdc: signedUsdc.nullish().meta({
          description:
            'What the vault has made before its fee if the leg gives back nothing more: paid out, vault_worth_usdc and fees less deposits. Null if unknown',
        }),
      })
      .nullable(),
  })
  .meta({ title: 'LegMandate' })
export type LegMandate = z.output<typeof legMandate>

/** A limit of the leg beyond the clauses that the order breaks. */
const guardFinding = z.object({
  code,
  limit: z.string().max(100).nullable(),
  attempted: z.string().max(100).nullable(),
  fix: z.string().max(500),
})

/** Operations that hl-leg asks of mandates, and the check of calls and orders. */
export const legOperations = {
  simulateExecution: operation({
    summary: 'Check for an agent or owner whether a call or an order of the leg would pass, without any effect',
    description:
      'Returns the same judgement as execute-call. With target and data the call is also run on the chain without being sent; with market alone, the first listed call of that market is judged. ' +
      'With a market of the leg (hl:) the order of its agent is judged by the clauses and estimated at the book as it is now; hl-order with dry_run judges the limits of the leg as well.',
    auth: 'account',
    scope: 'read',
    limit: 'hub_read',
    http: 'POST /hub/mandates/{public_id}/simulate',
    effect: 'none',
    tool: 'mandate_simulate',
    toolTitle: 'Simulate a call or order',
    input: z
      .strictObject({
        public_id: publicId,
        target: address.optional(),
        data: calldata.optional(),
        market: marketId.optional(),
        side: z.enum(['buy', 'sell']).optional().meta({ description: 'Required for a market of the leg' }),
        amount_usdc: usdc.optional().meta({ description: 'Required for a call; for a market of the leg this or size' }),
        size: legSize.optional().meta({ description: 'For a market of the leg alone, instead of amount_usdc' }),
        max_slippage: legSlippage.optional().meta({ description: 'For a market of the leg alone' }),
      })
      .meta({ example: { market: 'testvenue', amount_usdc: '25' } }),
    success: {
      200: z.object({
        ok: okTrue.meta({ description: 'The call was judged; passes says how' }),
        public_id: publicId,
        passes: z.boolean().meta({
          description:
            'True if neither the mandate nor the chain refuses the call, or if the order passes and was estimated',
        }),
        judgement: refusalBlock,
        chain: z
          .object({
            ok: z.boolean(),
            error: z
              .string()
              .max(80)
              .nullable()
              .meta({ description: 'Custom error of the vault; null if the call succeeds' }),
            target_error: z
              .string()
              .max(80)
              .nullable()
              .meta({ description: 'Custom error of the target; null if the target reports none' }),
          })
          .nullable()
          .meta({ description: 'Null without target and data' }),
        leg: z
          .object({
            estimate: legEstimate.nullable(),
            missing: z
              .object({ code: z.string().max(60), detail: z.string().max(1_000) })
              .nullable()
              .meta({
                description:
                  'Why there is no estimate; the order is then judged as an open of amount_usdc, or of nothing with a size',
              }),
          })
          .nullable()
          .meta({ description: 'Null for a call' }),
      }),
    },
    refusals: [common.invalidRequest, unknownMandate, vaultNotAttached, chainNotConfigured],
  }),
  readLegMandate: operation({
    summary: 'Read a mandate with its limits and vault for the leg, as its owner or agent',
    description: 'As its agent the call counts as an act of the agent on the mandate.',
    auth: 'service',
    callers: ['hl-leg'],
    input: z.strictObject({ public_id: publicId, account_id: accountId, as }),
    success: { 200: z.object({ mandate: legMandate }) },
    refusals: [unknownMandate],
  }),
  listLegMandates: operation({
    summary: 'List mandates with their limits and vaults for the leg',
    description: 'Unknown ids are left out.',
    auth: 'service',
    callers: ['hl-leg'],
    input: z.strictObject({ public_ids: z.array(publicId).min(1).max(LEG_MANDATES_MAX) }),
    success: { 200: z.object({ mandates: z.array(legMandate).max(LEG_MANDATES_MAX) }) },
  }),
  listAgentMandates: operation({
    summary: 'List the mandates of an owner with an agent for orders of the agent on the own account of the owner',
    auth: 'service',
    callers: ['hl-trade'],
    input: z.strictObject({ owner_id: accountId, agent_id: accountId }),
    success: {
      200: z.object({
        mandates: z
          .array(
            z.object({
              public_id: publicId,
              state: mandateState,
              per_tx_cap_usdc: usdc,
              markets: z.array(marketId).max(32).meta({ description: 'Markets of the signed terms, or of the draft' }),
            }),
          )
          .max(LEG_MANDATES_MAX)
          .meta({ description: 'Working mandates first' }),
      }),
    },
  }),
  judgeLegOrder: operation({
    summary: 'Judge an order of a leg, and reserve its amount, hold it or record its refusal',
    description:
      'Judges the state of the mandate, then the clauses, then the guards. An order that passes reserves its notional in the same transaction; one above the approval amount is held for the owner. ' +
      'A repetition with the same order_key gets the same answer without a second reservation; one that is refused frees the former reservation. Resolve each order that passed, also one that was never sent. With dry_run nothing is written.',
    auth: 'service',
    callers: ['hl-leg'],
    input: z.strictObject({
      public_id: publicId,
      order_key: orderKey,
      account_id: accountId,
      as,
      market: marketId,
      side: legOrderSide,
      opening: z.boolean().meta({
        description: 'True if the order opens or enlarges a position. One that closes is judged by the state alone',
      }),
      notional_usdc: usdc.meta({ description: 'Size times reference price' }),
      worth_low_usdc: usdc.nullable().meta({ description: 'The lower worth of the mandate now; null if unknown' }),
      loss_usdc: usdc.meta({
        description: 'max(0, s × (worst price − mark)) × size + fees, where s is 1 for buy, −1 for sell',
      }),
      request: legOrderRequest,
      guards: z
        .array(guardFinding)
        .max(10)
        .meta({ description: 'Limits of the leg that the order breaks, in the order in which they are judged' }),
      dry_run: z.boolean().default(false),
    }),
    success: {
      200: z.object({
        outcome: z.enum(['passes', 'held', 'refused']),
        judgement: refusalBlock,
        approval: approvalItem.nullable().meta({ description: 'The held item, or the approval that the order uses' }),
        usage: mandateUsage,
        terms_hash: hex32.nullable(),
      }),
    },
    refusals: [unknownMandate, common.rateLimited],
  }),
  stopForLine: operation({
    summary: 'Stop a mandate in its record because its worth has reached the stop line',
    description:
      'The agent may only close from then on; the vault stays open until its own stop. The owner is told what was closed at what price. Repeating changes nothing.',
    auth: 'service',
    callers: ['hl-leg'],
    input: z.strictObject({
      public_id: publicId,
      worth_usdc: usdc.meta({ description: 'The lower worth of the reading that crossed' }),
      stop_line_usdc: usdc,
      read_at: instant,
      caused_by: z
        .enum(['owner_moved_money'])
        .nullish()
        .meta({ description: 'The owner moved leg money out of the account; without that, trading is the cause' }),
      closed: z
        .array(
          z.object({
            market: marketId,
            side: legOrderSide,
            size: decimalText,
            average_price: decimalText.nullable().meta({ description: 'Null while the order is not resolved' }),
          }),
        )
        .max(200),
    }),
    success: { 200: z.object({ ok: okTrue, state: mandateState }) },
    refusals: [unknownMandate],
  }),
  resolveLegOrder: operation({
    summary: 'End the reservation of an order of a leg with what became of it',
    description:
      'A fill counts on the UTC day of its reservation. A missed order gives its approval back until that expires. A filled order is an entry of the record. Repeating changes nothing.',
    auth: 'service',
    callers: ['hl-leg'],
    input: z.strictObject({
      public_id: publicId,
      order_key: orderKey,
      outcome: z.enum(['filled', 'missed']).meta({ description: 'filled: at least in part' }),
      as: z
        .enum(['owner', 'agent', 'stop_line'])
        .default('agent')
        .meta({ description: "Who ordered. Bad fills of others do not limit the agent's opens" }),
      opening: z.boolean(),
      market: marketId,
      side: legOrderSide,
      cloid: z.string().max(66),
      oid: z.union([count, z.string().max(40)]).nullable(),
      size: decimalText,
      filled_size: decimalText,
      average_price: decimalText.nullable(),
      notional_usdc: usdc.meta({ description: 'Filled size times average price' }),
      fee_usdc: signedUsdc.meta({ description: 'Negative for a rebate' }),
      bad_fill_usdc: usdc.meta({
        description: 'max(0, s × (fill price − mark at sending)) × filled size; gains are not netted',
      }),
      at: instant,
    }),
    success: { 200: z.object({ ok: okTrue, usage: mandateUsage }) },
    refusals: [unknownMandate],
  }),
} as const

/** Background work on legs. */
export const legJobs = {
  announceRules: job({
    summary:
      'Write into records of mandates that were signed before that orders at the leg count at their reference price',
    everyMs: 600_000,
    max: 500,
    budgetSec: 60,
  }),
  watchLegEnds: job({
    summary: "Alert owners before the approval of their leg's key ends early",
    everyMs: 600_000,
    max: 500,
    budgetSec: 30,
  }),
} as const
