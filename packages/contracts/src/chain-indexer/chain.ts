import { operation } from '@svc/contract'
import { z } from 'zod'
import { instant, walletAddress } from '../common.ts'
import { revertRead } from './attempts.ts'
import { blockNumber, callers, chainId, hash32, hexBytes } from './fact.ts'
import { chainIndexerRefusals } from './refusals.ts'
import { streamName, streamNames } from './streams.ts'

const { chainNotConfigured } = chainIndexerRefusals

/** Reads of the chain as it is now. */
export const chainOperations = {
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
} as const
