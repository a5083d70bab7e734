import { operation, refusal } from '@svc/contract'
import { z } from 'zod'

export const rootDiffers = refusal('root_differs', {
  status: 409,
  title: 'Another root was signed',
  meaning: 'Another root was signed for this day, or a root of a later day.',
  fix: 'Have the same root signed again, or that of a later day: a day has one root for ever.',
})

/** Signatures of roots over all balances, made with the key that JWKS publishes. */
export const balanceRootOperations = {
  signBalanceRoot: operation({
    summary: 'Sign the Merkle root over all Cherry balances of a day',
    description:
      'Returns a compact JWS of typ "balance-root+json" over {day, accounts, root, computed_at, signed_at}; because of the typ it never passes for an access token. A day has one root: another one for it, or for a day before the newest, is refused.',
    auth: 'service',
    callers: ['subscriptions'],
    input: z.strictObject({
      day: z.iso.date().max(10),
      accounts: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
      root: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .max(64),
      computed_at: z.iso.datetime({ precision: 3 }).max(24),
    }),
    success: { 200: z.object({ jws: z.string().max(2000) }) },
    refusals: [rootDiffers],
  }),
} as const
