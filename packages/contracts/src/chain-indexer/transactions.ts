import { event, job, operation } from '@svc/contract'
import { z } from 'zod'
import { instant, okTrue, walletAddress } from '../common.ts'
import { revertedAttempt } from './attempts.ts'
import { blockNumber, callers, chainId, factFields, hash32, hexBytes, place, uintText } from './fact.ts'
import { chainIndexerRefusals } from './refusals.ts'
import { eventArgs, vaultEventNames, vaultRow } from './vaults.ts'

const { chainNotConfigured } = chainIndexerRefusals

/** One event that a vault or factory wrote in a transaction. */
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

/** Logs and transfers that a transaction is answered with at most. */
export const LISTED_MAX = 1_000

/** A transaction as the chain has it now, its receipt checked against the block that is in the chain. */
export const transaction = z.object({
  state: z.enum(['unknown', 'pending', 'mined']),
  chain_id: place.chain_id,
  tx_hash: hash32,
  from: walletAddress.nullable(),
  to: walletAddress.nullable().meta({ description: 'Null for a creation of a contract, and while unknown' }),
  input: hexBytes.nullable().meta({ description: 'Null while unknown, and above 128 KiB' }),
  status: z.enum(['success', 'reverted']).nullable(),
  block_number: blockNumber.nullable(),
  block_hash: hash32.nullable(),
  block_time: instant.nullable(),
  confirmations: z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable(),
  confirmed: z.boolean().meta({ description: 'HUB_CONFIRMATIONS reached' }),
  logs: z
    .array(transactionLog)
    .max(LISTED_MAX)
    .meta({ description: 'Events of our factories and vaults only, the first 1,000' }),
  transfers: z
    .array(z.object({ from: walletAddress, to: walletAddress, amount: uintText }))
    .max(LISTED_MAX)
    .meta({ description: 'Transfers of USDC, the first 1,000' }),
  attempt: revertedAttempt.omit({ revision: true, canonical: true }).nullable().meta({
    description: 'Set for a reverted `execute` to one of our vaults, whoever sent it: why it reverted',
  }),
})
export type ChainTransaction = z.output<typeof transaction>

/** Reading and watching transactions. */
export const transactionOperations = {
  readTransaction: operation({
    summary: 'Read a transaction from the chain, with the events of our contracts in it',
    description:
      'Asks the RPC, not the stored rows: it answers before the sweep has come so far. The log ordinals are those of the events. A receipt that does not belong to the chain as it is now is an outage, never an answer.',
    auth: 'service',
    callers,
    input: z.strictObject({ tx_hash: hash32 }),
    success: { 200: transaction },
    refusals: [chainNotConfigured],
    timeoutMs: 20_000,
  }),
  watchTransaction: operation({
    summary: 'Ask to hear transactionConfirmed for a transaction',
    description:
      'Safe to repeat; a repeat answers the same. The transaction may be unknown yet; after HUB_REORG_WINDOW_SECONDS without a receipt it is given up.',
    auth: 'service',
    callers,
    input: z.strictObject({ tx_hash: hash32 }),
    success: { 200: z.object({ ok: okTrue }) },
    refusals: [chainNotConfigured],
  }),
} as const

/** What happens to watched transactions. */
export const transactionEvents = {
  transactionConfirmed: event({
    summary: 'A watched transaction has HUB_CONFIRMATIONS, or a reorganisation took it away',
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
