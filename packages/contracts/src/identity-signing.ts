import { operation } from '@svc/contract'
import { z } from 'zod'

/** Signatures of the service itself, by the key that JWKS publishes. */
export const signingOperations = {
  signRecordHead: operation({
    summary: 'Sign the head of the record of a mandate',
    description:
      'Compact JWS, typ "record-head+json", over {mandate, seq, hash}. Its type keeps it from ever being taken for an access token.',
    auth: 'service',
    callers: ['mandates'],
    input: z.strictObject({
      mandate: z.string().max(36),
      seq: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
      hash: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .max(64),
    }),
    success: { 200: z.object({ jws: z.string().max(2000) }) },
  }),
} as const
