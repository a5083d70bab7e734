import { event, job, operation } from '@svc/contract'
import { z } from 'zod'
import { instant, walletAddress } from '../common.ts'
import { blockNumber, callers, chainId, factFields, hash32, selector4, uintText } from './fact.ts'
import { chainIndexerRefusals } from './refusals.ts'

const { chainNotConfigured, unknownVault } = chainIndexerRefusals

/** Terms that the factory pinned; amounts in USDC base units, `ends_at` in Unix seconds. */
export const vaultTerms = z.object({
  owner: walletAddress,
  agent: walletAddress,
  fee_recipient: walletAddress,
  usdc: walletAddress,
  leg_gateway: walletAddress.meta({ description: 'Zero address for a vault without a leg' }),
  budget: uintText,
  per_tx_cap: uintText,
  daily_cap: uintText,
  approval_above: uintText.meta({ description: '2^128 - 1: no call needs approval' }),
  stop_line: uintText,
  leg_budget: uintText,
  ends_at: uintText,
  fee_bps: uintText,
  mandate_id_hash: hash32,
  clauses_hash: hash32,
  calls: z.array(z.object({ target: walletAddress, selector: selector4 })).max(32),
})
export type VaultTerms = z.output<typeof vaultTerms>

/** The vault's books, folded from its events; each member equals the result of the view with its name. */
export const vaultBooks = z.object({
  agent: walletAddress.meta({ description: 'Zero address while paused or stopped by the owner' }),
  accounted: uintText,
  principal: uintText,
  withdrawn: uintText,
  fee_total: uintText,
  fee_owed: uintText,
  used_amount: uintText.meta({ description: 'Gross USDC pulled on `used_day`' }),
  used_day: uintText.meta({ description: 'UTC day, Unix seconds / 86400' }),
  last_worth: uintText,
  marked_at: uintText.meta({ description: 'Unix seconds; 0 before the first mark' }),
  stop_reason: z.int().min(0).max(2),
  stopped_at: uintText,
  settled: z.boolean(),
  leg_out: uintText,
  leg_open: z.boolean(),
  leg_seq: uintText,
  leg_funded: uintText,
  leg_returned: uintText,
})
export type VaultBooks = z.output<typeof vaultBooks>

/** The results of the vault's views at a block, with its USDC balance. */
export const vaultReading = z.object({
  block_number: blockNumber,
  block_hash: hash32,
  block_time: instant,
  books: vaultBooks,
  balance: uintText.meta({ description: "USDC of the vault's address" }),
  phase: z.int().min(0).max(4).meta({ description: '0 working, 1 paused, 2 stopped, 3 ended, 4 settled' }),
  withdraw_lock: z.object({ reason: z.int().min(0).max(2), until: uintText }),
})
export type VaultReading = z.output<typeof vaultReading>

/** A vault that one of our factories created. */
export const vaultRow = z.object({
  vault: walletAddress,
  factory: walletAddress,
  version: z.union([z.literal(1), z.literal(2)]),
  owner: walletAddress,
  mandate_id_hash: hash32.meta({ description: 'keccak256 of the public id of the mandate' }),
  terms_hash: hash32.meta({ description: "EIP-712 digest that the owner's wallet signed" }),
  terms: vaultTerms,
  tx_hash: hash32,
  created_block: blockNumber,
  created_time: instant,
  revision: z.int().min(1).max(1_000_000),
  canonical: z.boolean(),
  books: vaultBooks,
  books_block: blockNumber.meta({ description: 'Block of the newest event in `books`' }),
  differs: z
    .array(z.string().max(40))
    .max(32)
    .meta({ description: 'Figures in which the books and the chain disagree; empty if they agree' }),
})
export type VaultRow = z.output<typeof vaultRow>

/** Names of the events of a vault. */
export const vaultEventNames = [
  'Deposited',
  'DirectDeposit',
  'Executed',
  'Unwound',
  'AgentSet',
  'Stopped',
  'Marked',
  'Settled',
  'Withdrawn',
  'FeeClaimed',
  'Rescued',
  'LegFunded',
  'LegReturned',
] as const
export type VaultEventName = (typeof vaultEventNames)[number]

/** Arguments by their names in the ABI: integers as decimal strings, addresses EIP-55, bytes hex. */
export type EventArgs = Record<string, string | boolean>

const NAME_MAX = 40
const VALUE_MAX = 2_000

/** Written by hand because it runs for every event of every vault: a record of unions would double the time of parsing. */
function areEventArgs(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.entries(value).every(
    ([name, one]) =>
      name.length <= NAME_MAX && (typeof one === 'boolean' || (typeof one === 'string' && one.length <= VALUE_MAX)),
  )
}

export const eventArgs = z
  .any()
  .refine(areEventArgs, 'must be an object of named arguments, each a text or a boolean')
  .meta({
    type: 'object',
    propertyNames: { type: 'string', maxLength: NAME_MAX },
    additionalProperties: { anyOf: [{ type: 'string', maxLength: VALUE_MAX }, { type: 'boolean' }] },
  }) as unknown as z.ZodType<EventArgs, EventArgs>

/** Operations that read vaults. */
export const vaultOperations = {
  readVault: operation({
    summary: 'Read a vault with its stored books and the results of its views at the newest block, for another service',
    auth: 'service',
    callers,
    input: z.strictObject({ vault: walletAddress }),
    success: { 200: z.object({ vault: vaultRow, live: vaultReading }) },
    refusals: [chainNotConfigured, unknownVault],
    timeoutMs: 20_000,
  }),
  readVaultLeg: operation({
    summary: 'Read the leg of a vault at the newest block, for another service',
    auth: 'service',
    callers: ['hl-leg'],
    input: z.strictObject({ vault: walletAddress }),
    success: {
      200: z.object({
        block_number: blockNumber,
        open: z.boolean().meta({ description: 'False before the first funding and once the leg has ended' }),
        seq: uintText.meta({ description: 'Number of the newest funding' }),
        out: uintText.meta({ description: 'Base units of USDC that are at the leg' }),
      }),
    },
    refusals: [chainNotConfigured, unknownVault],
    timeoutMs: 20_000,
  }),
  readVaults: operation({
    summary: 'List the stored vaults that match every given filter, for another service',
    description: 'Ordered by address. Makes no call to the chain.',
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
} as const

/** Events of vaults. */
export const vaultEvents = {
  vaultCreated: event({
    money: true,
    summary: 'A factory created a vault, or a reorganisation removed the creation',
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
    money: true,
    summary: 'A vault logged an event, or a reorganisation removed it',
    payload: z.object({ ...factFields, vault: walletAddress, name: z.enum(vaultEventNames), args: eventArgs }),
  }),
  vaultPolled: event({
    summary: 'The results of the views of a vault have changed',
    payload: z.object({ chain_id: chainId, vault: walletAddress, ...vaultReading.shape }),
  }),
  vaultDiffers: event({
    summary: 'The books of a vault disagree with its views or with the totals in its events: alert a person',
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
} as const

/** Jobs that read vaults. */
export const vaultJobs = {
  vaultEvents: job({
    summary: 'Read the events of factories and vaults; everyMs is HUB_VAULT_EVENTS_SEC',
    everyMs: 15_000,
    dryRun: 'vaultEventsDryRun',
    max: 4_000,
    budgetSec: 60,
  }),
  vaultPoll: job({
    summary: 'Read the views of vaults and compare them with the books; everyMs is HUB_VAULT_POLL_SEC',
    everyMs: 60_000,
    dryRun: 'vaultPollDryRun',
    max: 100,
    budgetSec: 60,
  }),
} as const
