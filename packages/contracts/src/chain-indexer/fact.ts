import { z } from 'zod'
import { instant } from '../common.ts'

/** Non-negative integer of any size as a decimal string: base units (USDC has 6 decimals), seconds or a count. */
export const uintText = z
  .string()
  .regex(/^(0|[1-9]\d{0,77})$/)
  .max(78)
  .meta({ description: 'Whole number as a decimal string', example: '1500000' })

/** Hash of a transaction or block in hex. */
export const hash32 = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
  .max(66)
  .meta({ description: '32 bytes, hex', example: `0x${'1f'.repeat(32)}` })

/** Maximum length of `hexBytes` in characters. */
export const HEX_BYTES_MAX = 2 + 2 * 128 * 1024

/** Bytes in hex, at most 128 KiB. */
export const hexBytes = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})*$/, 'must be 0x and an even number of hex digits')
  .max(HEX_BYTES_MAX)

/** First four bytes of calldata or revert data. */
export const selector4 = z
  .string()
  .regex(/^0x[0-9a-fA-F]{8}$/)
  .max(10)

export const blockNumber = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

/** Location of a fact in the chain. */
export const place = {
  chain_id: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  block_number: blockNumber,
  block_hash: hash32,
  block_time: instant,
  tx_hash: hash32,
}

/**
 * Members of every fact of the chain. A fact is identified by (`chain_id`, `tx_hash`, `log_ordinal`). All other members may
 * differ between revisions, because a transaction that is mined again may log something else. Consumers keep the highest
 * `revision` and drop lower ones. Example: seen is revision 1, taken back by a reorganisation 2 (`canonical: false`), mined
 * again 3.
 */
export const factFields = {
  ...place,
  /** Index among the logs of our factories and vaults in this transaction, from 0. */
  log_ordinal: z.int().min(0).max(1_000_000),
  /** Index among all logs of the block, which orders the facts of a block regardless of their arrival. */
  log_index: z.int().min(0).max(1_000_000),
  revision: z.int().min(1).max(1_000_000),
  canonical: z.boolean(),
}

export const chainId = place.chain_id

/** Services that may ask chain-indexer. */
export const callers = ['gateway', 'mandates', 'keeper', 'identity', 'market-data', 'research-reports'] as const
