import { operation, refusal } from '@svc/contract'
import { z } from 'zod'

export const headSuperseded = refusal('head_superseded', {
  status: 409,
  title: 'Head superseded',
  meaning: 'A later head of this record was signed, or another one at the same entry.',
  fix: 'Read the record again and have its newest head signed; another hash at the same entry means that the record was rewritten.',
})

/** Signatures of record heads, made with the key that JWKS publishes. */
export const recordHeadOperations = {
  signRecordHead: operation({
    summary: 'Sign the head of the record of a mandate',
    description:
      'Returns a compact JWS of typ "record-head+json" over {mandate, seq, hash, chain, signed_at}; because of the typ it never passes for an access token. The highest signed entry of each mandate is stored with its hash: a lower entry, or another hash at the same entry, is refused.',
    auth: 'service',
    callers: ['mandates'],
    input: z.strictObject({
      mandate: z.string().max(36),
      seq: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
      hash: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .max(64),
      chain: z
        .strictObject({ chain_id: z.int().min(0).max(Number.MAX_SAFE_INTEGER), vault: z.string().max(42) })
        .nullable()
        .meta({ description: 'Vault that the record attached last; null before the first' }),
    }),
    success: { 200: z.object({ jws: z.string().max(2000) }) },
    refusals: [headSuperseded],
  }),
} as const
