import { operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, common, instant, okTrue } from '../common.ts'
import { notYourAgent } from '../identity/accounts.ts'
import { chainId, count, txHash } from './fields.ts'

const amount = z
  .string()
  .regex(
    /^(?:0|[1-9]\d{0,40})(?:\.\d{1,18})?$/,
    'write a plain decimal string: no sign, no exponent, at most 18 decimals',
  )
  .max(60)

/** A token. */
export const asset = z
  .string()
  .regex(/^(?:0x[0-9a-fA-F]{40}|[A-Za-z0-9.]{1,20})$/, 'use the address of the token or its symbol')
  .max(42)
  .meta({ description: 'Contract of the token, or its symbol', example: 'USDC' })

const transferView = z.object({
  transfer_id: count.meta({
    description: 'Number of the report; transfers of leg money have ids that begin with ltr_',
  }),
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
    .meta({ description: 'Why the transfer is still in transit; null once delivered' }),
  eta_at: instant.nullable(),
  reported_at: instant,
  delivered_at: instant.nullable(),
})
export type TransferView = z.output<typeof transferView>

export const transferReported = refusal('hub_transfer_reported', {
  status: 409,
  title: 'Transfer already reported',
  meaning: 'The agent has already reported a transfer with this transaction, asset, direction and amount.',
  fix: 'Read its state with GET /hub/agents/{agent_id}/activity.',
  details: z.object({ transfer_id: count }),
})

/** Operations on transfers that agents report. */
export const transferOperations = {
  reportTransfer: operation({
    summary: 'Report a transfer to or from your wallet or vaults as an agent',
    description:
      'The transfer is in transit until the chain shows a confirmed movement of this asset and amount to or from your wallet or a vault of your mandates. One movement delivers one transfer. ' +
      'At most 50 transfers of an hour are searched at the same time.',
    auth: 'agent',
    limit: 'hub_write',
    http: 'POST /hub/transfers/report',
    tool: 'transfer_report',
    toolTitle: 'Report a transfer',
    idempotent: true,
    input: z.strictObject({
      agent_id: accountId,
      chain_id: z
        .int()
        .min(1)
        .max(Number.MAX_SAFE_INTEGER)
        .meta({ description: 'Chain of the transfer', example: 31337 }),
      asset,
      amount: amount
        .refine((text) => /[1-9]/.test(text), 'must be above zero')
        .meta({ description: 'Amount of the asset', example: '25' }),
      tx_hash: txHash,
      direction: z.enum(['in', 'out']).meta({ description: 'To or from the agent' }),
      eta_seconds: z.int().min(0).max(2_592_000).optional().meta({ description: 'Seconds until it arrives' }),
    }),
    success: { 201: z.object({ ok: okTrue, transfer: transferView }) },
    refusals: [common.invalidRequest, common.rateLimited, notYourAgent, transferReported],
  }),
} as const
