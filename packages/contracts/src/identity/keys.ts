import { z } from 'zod'
import { instant } from '../common.ts'
import { label } from '../label.ts'

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
