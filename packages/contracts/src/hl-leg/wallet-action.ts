import { z } from 'zod'
import { address, chainId } from '../mandates/fields.ts'

/** What a wallet signs. */
export const typedData = z
  .object({
    domain: z.object({
      name: z.string().max(60),
      version: z.string().max(10),
      chainId,
      verifyingContract: address,
    }),
    types: z.record(
      z.string().max(60),
      z.array(z.object({ name: z.string().max(60), type: z.string().max(60) })).max(20),
    ),
    primaryType: z.string().max(60),
    message: z.record(z.string().max(60), z.union([z.string().max(200), z.number()])),
  })
  .meta({ title: 'VenueTypedData', description: 'Parameter of eth_signTypedData_v4' })
/** An action of a wallet at the venue. */
export const action = z
  .record(z.string().max(60), z.union([z.string().max(200), z.number()]))
  .meta({ title: 'VenueAction', description: 'Action as it is posted to the venue: strings hash as they stand here' })
/** Number of an action. */
export const nonce = z
  .int()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .meta({ description: 'Unix milliseconds', example: 1795446000000 })

/** An action that the owner's wallet signs. */
export const walletAction = z.object({ typed_data: typedData, action, nonce })

/** Signature of a wallet as it returns it. */
export const walletSignature = z
  .union([
    z
      .string()
      .max(20_000)
      .regex(/^0x(?:[0-9a-fA-F]{2})+$/, 'must be 0x and whole bytes in hex'),
    z.strictObject({
      r: z.string().max(66),
      s: z.string().max(66),
      v: z.union([z.int().min(0).max(255), z.string().max(3)]),
    }),
  ])
  .meta({
    description: 'Signature of typed_data: 0x and 65 bytes in hex, or {r, s, v}',
    example:
      '0x5f0c7b6ae1d2933b8e6f0a4c9d1e7b2a3c4d5e6f708192a3b4c5d6e7f8091a2b3c1d2e3f405162738495a6b7c8d9eafb0c1d2e3f405162738495a6b7c8d9eafb1b',
  })
