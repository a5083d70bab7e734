import { event } from '@svc/contract'
import { z } from 'zod'
import { accountId, instant } from '../common.ts'
import { count, publicId } from '../mandates/fields.ts'
import { legState } from './refusals.ts'

/** Lower case, as the venue writes addresses. */
const venueAddress = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/)
  .max(42)

/** Facts of legs. */
export const legEvents = {
  legChanged: event({
    summary: 'The leg of a mandate changed its state, or its approval ends early',
    payload: z.object({
      public_id: publicId,
      owner_id: accountId,
      state: legState,
      network: z.enum(['testnet', 'mainnet']),
      owner_address: venueAddress,
      agent_address: venueAddress.nullable(),
      epoch: count,
      valid_until: instant.nullable(),
      reason: z
        .enum(['replaced', 'removed', 'proposal_lapsed', 'ends_early'])
        .nullable()
        .meta({ description: 'Null for the usual cause of the state' }),
      at: instant,
    }),
  }),
} as const
