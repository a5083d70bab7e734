import { operation } from '@svc/contract'
import { z } from 'zod'
import { instant, walletAddress } from '../common.ts'
import { revertRead } from './attempts.ts'
import { blockNumber, callers, chainId, hash32, hexBytes } from './fact.ts'
import { chainIndexerRefusals } from './refusals.ts'
import { streamName, streamNames } from './streams.ts'

const { chainNotConfigured } = chainIndexerRefusals

/** Operations that read the chain's present state. */
export const chainOperations = {
  readHead: operation({
    summary: 'Read the head of the chain and the position of each stream, for another service',
    auth: 'service',
    callers: [...callers, 'gateway'],
    input: z.strictObject({}),
    success: {
      200: z.object({
        chain_id: chainId,
        head: blockNumber,
        head_hash: hash32,
        head_time: instant.meta({ description: "Time of the head block, by the chain's clock" }),
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
              stopped: z
                .string()
                .max(300)
                .nullable()
                .meta({ description: 'Why the stream is stopped until an operator rewinds it; null while it runs' }),
              updated_at: instant,
            }),
          )
          .max(streamNames.length),
      }),
    },
    refusals: [chainNotConfigured],
  }),
  readBlockHash: operation({
    summary: 'Read the present hash of a block by its number, for another service',
    auth: 'service',
    callers,
    input: z.strictObject({ block_number: blockNumber }),
    success: {
      200: z.object({
        block_hash: hash32.nullable().meta({ description: 'Null if the chain has no block with this number' }),
      }),
    },
    refusals: [chainNotConfigured],
  }),
  simulateCall: operation({
    summary: 'Run a call on the state of a block without sending it, for another service',
    description:
      'eth_call with 10 million gas, for views and for trials of transactions. A revert is a successful response. Without `to` the data is creation code (the universal validator of ERC-6492).',
    auth: 'service',
    callers,
    input: z.strictObject({
      to: walletAddress.optional(),
      from: walletAddress.optional(),
      data: hexBytes,
      block_number: blockNumber.optional().meta({ description: 'State after this block; default: the newest block' }),
    }),
    success: {
      200: z.object({
        ok: z.boolean(),
        data: hexBytes.nullable().meta({ description: 'Return data of the call; null if it reverts' }),
        revert: revertRead.nullable().meta({ description: 'Null if the call succeeds or runs out of gas' }),
      }),
    },
    refusals: [chainNotConfigured],
  }),
} as const
