import { event, job, operation } from '@svc/contract'
import { z } from 'zod'
import { instant, okTrue, walletAddress } from '../common.ts'
import { revertedAttempt } from './attempts.ts'
import { blockNumber, callers, chainId, factFields, hash32, hexBytes, place, uintText } from './fact.ts'
import { chainIndexerRefusals } from './refusals.ts'
import { eventArgs, vaultEventNames, vaultRow } from './vaults.ts'

const { chainNotConfigured } = chainIndexerRefusals

/** An event that a vault or factory logged in a transaction. */
export const transactionLog = z.object({
  log_ordinal: factFields.log_ordinal,
  log_index: factFields.log_index,
  vault: walletAddress,
  name: z.enum(['VaultCreated', ...vaultEventNames]),
  args: eventArgs,
  created: vaultRow
    .pick({ factory: true, version: true, owner: true, mandate_id_hash: true, terms_hash: true, terms: true })
    .nullable()
    .meta({ description: 'Set for `VaultCreated`' }),
})
export type TransactionLog = z.output<typeof transactionLog>

/** Maximum number of logs, and of transfers, in a transaction's response. */
export const LISTED_MAX = 1_000

/** A transaction in the chain's present state, with its receipt checked against the block in the chain. */
export const transaction = z.object({
  state: z.enum(['unknown', 'pending', 'mined']),
  chain_id: place.chain_id,
  tx_hash: hash32,
  from: walletAddress.nullable(),
  to: walletAddress.nullable().meta({ description: 'Null for the creation of a contract, and while unknown' }),
  input: hexBytes.nullable().meta({ description: 'Null while unknown, and above 128 KiB' }),
  status: z.enum(['success', 'reverted']).nullable(),
  block_number: blockNumber.nullable(),
  block_hash: hash32.nullable(),
  block_time: instant.nullable(),
  confirmations: z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable(),
  confirmed: z.boolean().meta({ description: 'True once the block is HUB_CONFIRMATIONS deep' }),
  logs: z
    .array(transactionLog)
    .max(LISTED_MAX)
    .meta({ description: 'Events of our factories and vaults only, the first 1,000' }),
  transfers: z
    .array(z.object({ from: walletAddress, to: walletAddress, amount: uintText }))
    .max(LISTED_MAX)
    .meta({ description: 'Transfers of USDC, the first 1,000' }),
  attempt: revertedAttempt.omit({ revision: true, canonical: true }).nullable().meta({
    description:
      'Why a reverted `execute` of one of our vaults failed, from any sender; null for any other transaction',
  }),
})
export type ChainTransaction = z.output<typeof transaction>

/** Operations that read and watch transactions. */
export const transactionOperations = {
  readTransaction: operation({
    summary: 'Read a transaction from the chain with the events of our contracts in it, for another service',
    description:
      'Reads the RPC instead of stored rows, so it also returns transactions that the sweep has not reached. The log ordinals equal those of the events. Returns 503 for a receipt that does not belong to the present chain.',
    auth: 'service',
    callers,
    input: z.strictObject({ tx_hash: hash32 }),
    success: { 200: transaction },
    refusals: [chainNotConfigured],
    timeoutMs: 20_000,
  }),
  watchTransaction: operation({
    summary: 'Watch a transaction and publish transactionConfirmed for it, for another service',
    description:
      'Safe to repeat. The transaction may still be unknown; watching ends after HUB_REORG_WINDOW_SECONDS without a receipt.',
    auth: 'service',
    callers,
    input: z.strictObject({ tx_hash: hash32 }),
    success: { 200: z.object({ ok: okTrue }) },
    refusals: [chainNotConfigured],
  }),
} as const

/** Events of watched transactions. */
export const transactionEvents = {
  transactionConfirmed: event({
    money: true,
    summary: 'A watched transaction is HUB_CONFIRMATIONS deep, or a reorganisation removed it',
    payload: z.object({
      chain_id: chainId,
      tx_hash: hash32,
      block_number: blockNumber,
      block_hash: hash32,
      block_time: instant,
      from: walletAddress,
      to: walletAddress.nullable(),
      status: z.enum(['success', 'reverted']),
      revision: factFields.revision,
      canonical: z.boolean(),
    }),
  }),
} as const

/** The job that follows watched transactions. */
export const transactionJobs = {
  transactionWatch: job({
    summary: 'Look up watched transactions until they are final; everyMs is HUB_POLL_SECONDS',
    everyMs: 5_000,
    max: 50,
    budgetSec: 60,
  }),
} as const
