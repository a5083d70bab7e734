import { contract, event, job, operation, refusal } from '@svc/contract'
import { z } from 'zod'
import {
  blockNumber,
  deposit,
  eventArgs,
  factFields,
  hash32,
  hexBytes,
  revertedAttempt,
  revertRead,
  transaction,
  uintText,
  vaultEventNames,
  vaultReading,
  vaultRow,
} from './chain-indexer-facts.ts'
import { chainIndexerSettings } from './chain-indexer-settings.ts'
import { instant, okTrue, walletAddress } from './common.ts'

const callers = ['mandates', 'keeper', 'identity', 'market-data', 'research-reports'] as const
const chainId = factFields.chain_id

/** Stored positions in the chain, each with its own block hashes. */
export const streamNames = ['vault_events', 'reverts', 'deposits'] as const
const streamName = z.enum(streamNames)

/** Refusals of chain-indexer. */
export const chainIndexerRefusals = {
  chainNotConfigured: refusal('chain_not_configured', {
    status: 409,
    title: 'No chain configured',
    meaning: 'HUB_RPC_URL is unset, so nothing is read from a chain.',
    fix: 'The operator sets HUB_RPC_URL with HUB_CHAIN_ID or HUB_DEPLOYMENT_FILE.',
  }),
  unknownVault: refusal('unknown_vault', {
    status: 404,
    title: 'Unknown vault',
    meaning: 'None of the configured factories created a vault at this address, as far as the sweep has read.',
    fix: 'Take the address from the VaultCreated event; a vault just created is known once the sweep has read its block.',
  }),
} as const
const { chainNotConfigured, unknownVault } = chainIndexerRefusals

/**
 * Facts of the chain for the other services. Operations answer 503 while the RPC is away or contradicts itself;
 * nothing of the RPC's address ever stands in an answer. Amounts are decimal strings of base units.
 */
export const chainIndexer = contract('chain-indexer', {
  title: 'Chain facts',
  operations: {
    readHead: operation({
      summary: 'Read the head of the chain and how far each stream has come',
      auth: 'service',
      callers,
      input: z.strictObject({}),
      success: {
        200: z.object({
          chain_id: chainId,
          head: blockNumber,
          head_hash: hash32,
          head_time: instant.meta({ description: "Time of the head by the chain's clock" }),
          safe_head: blockNumber.meta({ description: 'head minus HUB_CONFIRMATIONS' }),
          addresses: z.object({
            usdc: walletAddress.nullable(),
            factory: walletAddress.nullable(),
            factory_v2: walletAddress.nullable(),
          }),
          streams: z
            .array(
              z.object({
                stream: streamName,
                next_block: blockNumber,
                stopped: z.string().max(300).nullable().meta({ description: 'Why the stream stands still for good' }),
                updated_at: instant,
              }),
            )
            .max(streamNames.length),
        }),
      },
      refusals: [chainNotConfigured],
    }),
    readBlockHash: operation({
      summary: 'Read the hash of a block as the chain has it now',
      auth: 'service',
      callers,
      input: z.strictObject({ block_number: blockNumber }),
      success: {
        200: z.object({
          block_hash: hash32.nullable().meta({ description: 'Null when the chain has no block of this number' }),
        }),
      },
      refusals: [chainNotConfigured],
    }),
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
    watchAddress: operation({
      summary: 'Watch an address for USDC that arrives',
      description:
        'Safe to repeat. `since` is when the owner of the address registered it: transfers from then on are found once, at most HUB_DEPOSIT_BACKFILL_LOOKBACK blocks back; the default is now.',
      auth: 'service',
      callers,
      input: z.strictObject({
        address: walletAddress,
        kind: z.enum(['agent_wallet', 'vault']),
        since: instant.optional(),
      }),
      success: { 200: z.object({ ok: okTrue }) },
      refusals: [chainNotConfigured],
    }),
    readVault: operation({
      summary: 'Read a vault: the stored books and what its views answer at the newest block',
      auth: 'service',
      callers,
      input: z.strictObject({ vault: walletAddress }),
      success: { 200: z.object({ vault: vaultRow, live: vaultReading }) },
      refusals: [chainNotConfigured, unknownVault],
      timeoutMs: 20_000,
    }),
    readVaults: operation({
      summary: 'List vaults as stored',
      description: 'Rising by address. All given filters must match. Makes no call to the chain.',
      auth: 'service',
      callers,
      input: z.strictObject({
        vaults: z.array(walletAddress).max(100).optional(),
        owner: walletAddress.optional(),
        mandate_id_hash: hash32.optional(),
        after: walletAddress.optional(),
        limit: z.int().min(1).max(100).default(100),
      }),
      success: { 200: z.object({ vaults: z.array(vaultRow).max(100) }) },
      refusals: [chainNotConfigured],
    }),
    simulateCall: operation({
      summary: 'Run a call without sending it',
      description:
        'eth_call with 10 million gas, for views and for dry runs of transactions alike. A revert is an answer. Without `to` the data is creation code (the universal validator of ERC-6492).',
      auth: 'service',
      callers,
      input: z.strictObject({
        to: walletAddress.optional(),
        from: walletAddress.optional(),
        data: hexBytes,
        block_number: blockNumber.optional().meta({ description: 'State after this block; default the newest' }),
      }),
      success: {
        200: z.object({
          ok: z.boolean(),
          data: hexBytes.nullable().meta({ description: 'What the call returns; null when it reverts' }),
          revert: revertRead.nullable().meta({ description: 'Null when it succeeds, or ran out of gas' }),
        }),
      },
      refusals: [chainNotConfigured],
    }),
  },
  events: {
    vaultCreated: event({
      summary: 'A factory created a vault, or a reorganisation took that away',
      payload: z.object({
        ...factFields,
        ...vaultRow.pick({
          vault: true,
          factory: true,
          version: true,
          owner: true,
          mandate_id_hash: true,
          terms_hash: true,
          terms: true,
        }).shape,
      }),
    }),
    vaultEventSeen: event({
      summary: 'A vault logged an event, or a reorganisation took that away',
      payload: z.object({ ...factFields, vault: walletAddress, name: z.enum(vaultEventNames), args: eventArgs }),
    }),
    attemptReverted: event({
      summary: "The agent's call of a vault was mined and reverted, or a reorganisation took that away",
      payload: revertedAttempt,
    }),
    depositSeen: event({ summary: 'USDC arrived at a watched address', payload: deposit }),
    depositConfirmed: event({
      summary: 'A deposit was found again by its receipt, HUB_CONFIRMATIONS deep',
      payload: deposit,
    }),
    depositOrphaned: event({
      summary: 'A deposit is not in the chain any more; it may be seen again with a higher revision',
      payload: deposit,
    }),
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
    vaultPolled: event({
      summary: 'The views of a vault answered something new',
      payload: z.object({ chain_id: chainId, vault: walletAddress, ...vaultReading.shape }),
    }),
    vaultDiffers: event({
      summary: 'The books of a vault do not agree with its views or with the totals in its events: alert',
      payload: z.object({
        chain_id: chainId,
        vault: walletAddress,
        block_number: blockNumber,
        differences: z
          .array(z.object({ figure: z.string().max(40), books: z.string().max(80), chain: z.string().max(80) }))
          .min(1)
          .max(32),
      }),
    }),
    chainReorganised: event({
      summary: 'Blocks after the ancestor were replaced; the facts in them were taken back one by one before this',
      payload: z.object({
        chain_id: chainId,
        stream: streamName,
        ancestor_number: blockNumber,
        ancestor_hash: hash32,
        orphaned: z.int().min(0).max(10_000_000).meta({ description: 'Facts taken back' }),
      }),
    }),
    streamStopped: event({
      summary: 'A stream stands still until an operator decides: page somebody',
      payload: z.object({ chain_id: chainId, stream: streamName, reason: z.string().max(300), next_block: uintText }),
    }),
  },
  jobs: {
    vaultEvents: job({
      summary: 'Sweep the events of factories and vaults; everyMs is HUB_VAULT_EVENTS_SEC',
      everyMs: 15_000,
      max: 4_000,
      budgetSec: 60,
    }),
    reverts: job({
      summary: 'Scan blocks for reverted calls of agents; everyMs is HUB_VAULT_EVENTS_SEC',
      everyMs: 15_000,
      max: 150,
      budgetSec: 60,
    }),
    vaultPoll: job({
      summary: 'Read the views of vaults and compare them with the books; everyMs is HUB_VAULT_POLL_SEC',
      everyMs: 60_000,
      max: 100,
      budgetSec: 60,
    }),
    depositWatch: job({
      summary:
        'Find USDC that arrives at watched addresses, check confirmed deposits again; everyMs is HUB_POLL_SECONDS',
      everyMs: 5_000,
      max: 4_000,
      budgetSec: 60,
    }),
    transactionWatch: job({
      summary: 'Look up watched transactions until they are final; everyMs is HUB_POLL_SECONDS',
      everyMs: 5_000,
      max: 50,
      budgetSec: 60,
    }),
  },
  settings: chainIndexerSettings,
})
