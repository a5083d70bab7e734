import { z } from 'zod'
import { instant, walletAddress } from './common.ts'

/** Non-negative integer of any size as a decimal string: base units (USDC has 6 decimals), seconds, counters. */
export const uintText = z
  .string()
  .regex(/^(0|[1-9]\d{0,77})$/)
  .max(78)
  .meta({ description: 'Whole number as a decimal string', example: '1500000' })

/** Hash of a transaction or block, lower case. */
export const hash32 = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
  .max(66)
  .meta({ description: '32 bytes, hex', example: `0x${'1f'.repeat(32)}` })

/** Characters of the longest `hexBytes`. */
export const HEX_BYTES_MAX = 2 + 2 * 128 * 1024

/** Bytes as hex, at most 128 KiB. */
export const hexBytes = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})*$/, 'must be 0x and an even number of hex digits')
  .max(HEX_BYTES_MAX)

/** First four bytes of calldata or of revert data. */
export const selector4 = z
  .string()
  .regex(/^0x[0-9a-fA-F]{8}$/)
  .max(10)

export const blockNumber = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

/** Place of something in the chain. */
const place = {
  chain_id: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  block_number: blockNumber,
  block_hash: hash32,
  block_time: instant,
  tx_hash: hash32,
}

/**
 * What every fact of the chain carries. A fact is identified by (`chain_id`, `tx_hash`, `log_ordinal`); everything
 * else of it may differ from revision to revision, as a transaction that is mined again may log something else.
 * Consumers keep the highest `revision` they have seen and drop lower ones: seen 1, taken away by a
 * reorganisation 2 (`canonical: false`), mined again 3.
 */
export const factFields = {
  ...place,
  /** Place among the logs that our factories and vaults wrote in this transaction, from 0. */
  log_ordinal: z.int().min(0).max(1_000_000),
  /** Place among all logs of the block: the order of the facts of one block, however they arrive. */
  log_index: z.int().min(0).max(1_000_000),
  revision: z.int().min(1).max(1_000_000),
  canonical: z.boolean(),
}

/** Terms as the factory pinned them; amounts are USDC base units, `ends_at` Unix seconds. */
export const vaultTerms = z.object({
  owner: walletAddress,
  agent: walletAddress,
  fee_recipient: walletAddress,
  usdc: walletAddress,
  leg_gateway: walletAddress.meta({ description: 'Zero address for a vault without a leg' }),
  budget: uintText,
  per_tx_cap: uintText,
  daily_cap: uintText,
  approval_above: uintText.meta({ description: '2^128 - 1 holds nothing' }),
  stop_line: uintText,
  leg_budget: uintText,
  ends_at: uintText,
  fee_bps: uintText,
  mandate_id_hash: hash32,
  clauses_hash: hash32,
  calls: z.array(z.object({ target: walletAddress, selector: selector4 })).max(32),
})
export type VaultTerms = z.output<typeof vaultTerms>

/** The vault's own books, folded from its events; every member is what the view of that name answers. */
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

/** What the vault's views answer at a block, with its USDC balance. */
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
    .meta({ description: 'Figures in which the books and the chain do not agree; empty when they do' }),
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

/** By hand, as it is done for every event of every vault: a record of unions takes as long as all the rest of it. */
function areEventArgs(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.entries(value).every(
    ([name, one]) =>
      name.length <= NAME_MAX && (typeof one === 'boolean' || (typeof one === 'string' && one.length <= VALUE_MAX)),
  )
}

export const eventArgs = z
  .any()
  .refine(areEventArgs, 'must name each argument, with a text or a boolean')
  .meta({
    type: 'object',
    propertyNames: { type: 'string', maxLength: NAME_MAX },
    additionalProperties: { anyOf: [{ type: 'string', maxLength: VALUE_MAX }, { type: 'boolean' }] },
  }) as unknown as z.ZodType<EventArgs, EventArgs>

/** Reverts of `execute` that are refusals of the mandate; every other one is a failure, not a refusal. */
export const vaultRefusalKinds = [
  'TargetNotAllowed',
  'OverPerTxCap',
  'OverDailyCap',
  'MandateStopped',
  'MandateEnded',
] as const
export const vaultRefusalKind = z.enum(vaultRefusalKinds)

/** What a revert is, read. */
export const revertRead = z.object({
  name: z.string().max(80).nullable().meta({ description: 'Custom error, `Error` or `Panic`; null when unknown' }),
  selector: selector4.nullable(),
  args: eventArgs,
  refusal_kind: vaultRefusalKind.nullable(),
  inner: z
    .object({ name: z.string().max(80).nullable(), selector: selector4.nullable(), args: eventArgs })
    .nullable()
    .meta({ description: "The target's own error inside `TargetCallFailed`" }),
})
export type RevertRead = z.output<typeof revertRead>

/**
 * A mined `execute` from the agent's wallet to a vault that reverted. `refusal`: the mandate refused, `kind` says why.
 * `target_failed`: the target's own call failed. `other`: another revert of the vault. `out_of_gas`: the gas limit
 * was too low. `unknown`: nothing could be established. Only `refusal` is a refusal of the mandate.
 */
export const revertedAttempt = z.object({
  ...place,
  tx_index: z.int().min(0).max(1_000_000),
  revision: factFields.revision,
  canonical: z.boolean(),
  vault: walletAddress,
  agent: walletAddress,
  target: walletAddress,
  selector: selector4.nullable(),
  approve_amount: uintText,
  outcome: z.enum(['refusal', 'target_failed', 'other', 'out_of_gas', 'unknown']),
  kind: vaultRefusalKind.nullable(),
  revert: revertRead.nullable(),
  evidence: z.enum(['recomputed+replayed', 'recomputed', 'replayed', 'none']).meta({
    description:
      '`recomputed` from the stored events, `replayed` by eth_call at the parent block or the same block; a node that no longer has the old state leaves `recomputed` alone',
  }),
})
export type RevertedAttempt = z.output<typeof revertedAttempt>

/** USDC that arrived at a watched address. Identified by (`chain_id`, `tx_hash`, `address`, `transfer_ordinal`). */
export const deposit = z.object({
  ...place,
  address: walletAddress,
  transfer_ordinal: z
    .int()
    .min(0)
    .max(1_000_000)
    .meta({ description: 'Place among the USDC transfers to this address in the transaction, from 0' }),
  from: walletAddress,
  asset: walletAddress.meta({ description: 'USDC contract' }),
  amount: uintText,
  status: z.enum(['pending', 'confirmed', 'orphaned']),
  revision: factFields.revision,
})
export type Deposit = z.output<typeof deposit>

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
