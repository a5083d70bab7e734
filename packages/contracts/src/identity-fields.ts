import { z } from 'zod'
import { instant } from './common.ts'

/** Plain text of one line: letters of any script, but nothing that is invisible, reorders text or breaks a line. */
export const label = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine(
      (text) => text.isWellFormed() && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text),
      'must be plain text without control characters',
    )
    .refine((text) => text.trim() === text, 'must not start or end with a space')

/** What an API key may do. */
export const scope = z.enum(['read', 'write', 'tx'])

export const keyId = z
  .string()
  .regex(/^key_[0-9a-f]{16}$/)
  .max(20)
  .meta({ description: 'Key id', example: 'key_0123456789abcdef' })

export const keyName = label(64).meta({ description: 'Name of the key, for its owner' })

/** A live key without its secret. */
export const keyItem = z
  .object({
    key_id: keyId,
    name: keyName,
    scopes: z.array(scope).max(3),
    created_at: instant,
    expires_at: instant.nullable(),
    last_used_at: instant.nullable().meta({ description: 'Noted at most once a minute' }),
  })
  .meta({ title: 'ApiKey' })
