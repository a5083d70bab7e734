import { z } from 'zod'
import { count } from './mandates-fields.ts'

/** Newest entry of a record with its signature. */
export const recordHead = z
  .object({
    seq: count,
    hash: z.string().max(64).meta({ description: 'SHA-256 in hex; empty while there is no entry' }),
    jws: z.string().max(2000).nullable().meta({
      description:
        'Compact JWS over {mandate, seq, hash, chain, signed_at} by a key of /.well-known/jwks.json; null while the record is empty or the signer away, and for a head that a later one followed',
    }),
  })
  .meta({ title: 'RecordHead', description: 'Head of the record' })
export type RecordHead = z.output<typeof recordHead>
