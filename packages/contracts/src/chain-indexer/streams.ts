import { event } from '@svc/contract'
import { z } from 'zod'
import { blockNumber, chainId, hash32, uintText } from './fact.ts'

/** Streams: stored positions in the chain, each with its own block hashes. */
export const streamNames = ['vault_events', 'reverts', 'deposits'] as const
export const streamName = z.enum(streamNames)

/** Events of streams. */
export const streamEvents = {
  chainReorganised: event({
    summary: 'Blocks after the ancestor were replaced; events that take back each of their facts precede this one',
    payload: z.object({
      chain_id: chainId,
      stream: streamName,
      ancestor_number: blockNumber,
      ancestor_hash: hash32,
      orphaned: z.int().min(0).max(10_000_000).meta({ description: 'Number of facts taken back' }),
    }),
  }),
  streamStopped: event({
    summary: 'A stream is stopped until an operator decides: alert a person',
    payload: z.object({ chain_id: chainId, stream: streamName, reason: z.string().max(300), next_block: uintText }),
  }),
} as const
