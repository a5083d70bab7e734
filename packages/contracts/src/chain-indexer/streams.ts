import { event } from '@svc/contract'
import { z } from 'zod'
import { blockNumber, chainId, hash32, uintText } from './fact.ts'

/** Stored positions in the chain, each with its own block hashes. */
export const streamNames = ['vault_events', 'reverts', 'deposits'] as const
export const streamName = z.enum(streamNames)

/** What happens to a stream. */
export const streamEvents = {
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
} as const
