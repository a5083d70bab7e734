import { operation } from '@svc/contract'
import { z } from 'zod'
import { instant } from '../common.ts'
import { marketId, publicId, signedUsdc } from '../mandates/fields.ts'
import { legState, venueBudget } from './refusals.ts'
import { network, venueAddress, venueDecimal } from './venue.ts'

/** A leg as a follow sizes its orders by it. */
export const followLeg = z.object({
  public_id: publicId,
  state: legState,
  network,
  owner_address: venueAddress,
  read_at: instant.nullable().meta({ description: 'By the clock of the venue; null before the first reading' }),
  value_usdc: signedUsdc.nullable().meta({ description: 'Account value over all dexes; null if unknown' }),
  equity_usdc: signedUsdc
    .nullable()
    .meta({ description: 'Account value less foreign money; null if unknown, and for a leg that was never funded' }),
  funded: z.boolean().meta({ description: 'Whether money of the vault was ever delivered' }),
  positions: z.array(z.object({ market: marketId, size: venueDecimal, mark_price: venueDecimal })).max(400),
})
export type FollowLeg = z.output<typeof followLeg>

/** What follows of signals ask about legs. */
export const followOperations = {
  readFollowLegs: operation({
    summary: 'Read the legs of mandates that follow signals: state, equity and positions',
    description:
      'From stored readings; with now the accounts are read at the venue first. Mandates without a leg are left out.',
    auth: 'service',
    callers: ['gallery'],
    timeoutMs: 20_000,
    input: z.strictObject({
      public_ids: z.array(publicId).min(1).max(100),
      now: z.boolean().default(false).meta({
        description:
          'true: read the accounts at the venue, at most 10, unless a reading of the last 20 s is newer than every order of the leg',
      }),
    }),
    success: { 200: z.object({ legs: z.array(followLeg).max(100) }) },
    refusals: [venueBudget],
  }),
  readFollowOrder: operation({
    summary: 'Read what became of an order of a leg by its Idempotency-Key; null if none was placed under it',
    auth: 'service',
    callers: ['gallery'],
    input: z.strictObject({ public_id: publicId, idempotency_key: z.string().min(1).max(255) }),
    success: {
      200: z.object({
        order: z
          .object({
            state: z
              .enum(['judging', 'signed', 'filled', 'partial', 'missed', 'rejected'])
              .meta({ description: 'judging and signed: not resolved yet' }),
            filled_size: venueDecimal,
            average_price: venueDecimal.nullable(),
          })
          .nullable(),
      }),
    },
  }),
} as const
