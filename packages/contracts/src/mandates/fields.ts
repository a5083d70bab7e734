import { z } from 'zod'
import { accountId } from '../common.ts'
import { usdcUnits } from '../common/usdc.ts'

/** 2^128 - 1 base units: the largest amount that the contracts hold. */
const USDC_MAX = 2n ** 128n - 1n

/** USDC amount, decimal string with at most six decimals. */
export const usdc = z
  .string()
  .max(40)
  .regex(
    /^(?:0|[1-9]\d{0,32})(?:\.\d{1,6})?$/,
    'write USDC as a plain decimal string such as "12.5": no sign, no exponent, at most 6 decimals',
  )
  .refine(
    (text) => !/^\d{1,33}(?:\.\d{1,6})?$/.test(text) || usdcUnits(text) <= USDC_MAX,
    'must be at most 340282366920938463463374607431768.211455, which is what a vault can hold',
  )
  .meta({ title: 'Usdc', description: 'USDC, at most 6 decimals', example: '12.5' })

/** USDC amount that may be negative: a result. */
export const signedUsdc = z
  .string()
  .max(41)
  .regex(/^-?\d{1,33}(?:\.\d{1,6})?$/)
  .meta({ title: 'SignedUsdc', description: 'USDC, negative for a loss', example: '-3.25' })

/** Public id of a mandate. */
export const publicId = z
  .string()
  .max(36)
  .regex(/^mdt_[0-9a-f]{32}$/, 'use the public_id exactly as the API returns it')
  .meta({
    title: 'MandateId',
    description: 'Public id of the mandate',
    example: 'mdt_0123456789abcdef0123456789abcdef',
  })

/** `testvenue`, `hl:<COIN>` or `hl:<dex>:<COIN>`. */
export const marketId = z
  .string()
  .max(64)
  .regex(/^(?:[a-z][a-z0-9-]{1,31}|hl:(?:[a-z0-9]{1,16}:)?[A-Za-z0-9]{1,32})$/, 'use a market_id of GET /hub/markets')
  .meta({ title: 'MarketId', description: 'Market id', example: 'testvenue' })

export const hex32 = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
  .max(66)
  .meta({ title: 'Hex32', example: '0x4c1f0f0e6f1b0a6d3c9be2d27a5ad0c4f95c4c8d1f3ce4a6a1d7f4a2b8e93d51' })
export const txHash = hex32.meta({ description: 'Transaction hash' })
const CALLDATA_MAX = 32_768
/** What `execute` and `unwind` of a vault put around calldata: their selector, words of 32 bytes, and padding. */
const AROUND_CALLDATA_MAX = 512
const calldataOf = (max: number) =>
  z
    .string()
    .regex(/^0x(?:[0-9a-fA-F]{2})*$/, 'must be 0x and whole bytes in hex')
    .max(max)
    .meta({ description: 'Calldata' })
export const calldata = calldataOf(CALLDATA_MAX)
/** EIP-55 address, as answers give it. */
export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')
  .max(42)
  .meta({ title: 'Address', description: 'EIP-55 address' })
export const chainId = z.int().min(0).max(Number.MAX_SAFE_INTEGER).meta({ description: 'Chain id' })
export const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
export const sentence = z.string().max(1000)

/** Where a mandate stands. */
export const mandateState = z
  .enum(['draft', 'signed', 'working', 'paused', 'stopped', 'ended', 'closed'])
  .meta({ title: 'MandateState', description: 'State of the mandate' })
export type MandateState = z.output<typeof mandateState>

/** Why a mandate moved from one state to another. */
export const stateCause = z.enum([
  'terms_signed',
  'vault_funded',
  'agent_removed',
  'agent_restored',
  'stopped_in_record',
  'stopped_by_owner',
  'stopped_by_stop_line',
  'end_passed',
  'settled_and_withdrawn',
  'money_returned',
  'reorganised',
])
export type StateCause = z.output<typeof stateCause>

/** One of the eight clauses of the terms. */
export const clause = z
  .object({
    n: z.int().min(1).max(8),
    title: z.string().max(60),
    text: z.string().max(8000).meta({ description: 'The words that the owner signs' }),
    value: z.string().max(2000).nullable().meta({ description: 'The figure of the clause; null when it is off' }),
    enforced_by: z.enum(['contract', 'venue', 'guard', 'server']),
    relies_on: z
      .literal('keeper')
      .nullable()
      .meta({ description: 'Whose reports the enforcer acts on; null if it needs none' }),
    leg_enforced_by: z
      .literal('guard')
      .nullable()
      .meta({ description: 'Who enforces the clause for orders at the leg; null if it says nothing of a leg' }),
    state: z.enum(['in_force', 'stored_pending']),
    state_reason: sentence.nullable().meta({ description: 'Why the clause is not in force yet' }),
  })
  .meta({ title: 'Clause' })

/** A call for the wallet of the owner or agent to sign and send. */
export const preparedCall = z
  .object({
    to: address,
    data: calldataOf(CALLDATA_MAX + AROUND_CALLDATA_MAX),
    value: z.literal('0'),
    chain_id: chainId,
  })
  .meta({ title: 'PreparedCall', description: 'Call to sign and send; the service sends nothing' })

const quantity = z
  .string()
  .max(66)
  .regex(/^0x(?:0|[1-9a-f][0-9a-f]*)$/)
/** The same call as the parameter of `eth_sendTransaction`. */
export const walletTransaction = z
  .object({
    from: address,
    to: address,
    data: calldataOf(CALLDATA_MAX + AROUND_CALLDATA_MAX),
    value: quantity,
    chainId: quantity,
  })
  .meta({
    title: 'WalletTransaction',
    description: 'The prepared call as the parameter of eth_sendTransaction: hand it to the wallet as it is',
  })

/** The mandate's parties, as every event names them. */
export const parties = {
  public_id: publicId,
  owner_id: accountId,
  agent_id: accountId.nullable(),
}
