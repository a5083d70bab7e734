import { z } from 'zod'
import { instant } from '../common.ts'

/** Says that the venue is a rig on this machine. */
export const madeUp = z.boolean().meta({ title: 'MadeUp', description: 'true: a rig made the figures up' })

/** What every relayed answer says of itself. */
export const envelopeMembers = {
  source: z.literal('hyperliquid'),
  network: z.enum(['testnet', 'mainnet']),
  made_up: madeUp.optional(),
  computed_at: instant.meta({ description: 'When the venue was read' }),
  stale: z.boolean().meta({
    title: 'StaleReading',
    description: 'true: older than usual, because the venue or the budget of requests refused a newer reading',
  }),
}

/** Answer of the venue in its own shape, without members that this API does not know. */
export const relayed = <T extends z.ZodType>(data: T) => z.object({ ...envelopeMembers, data })
