import { job, operation } from '@svc/contract'
import { z } from 'zod'
import { instant, walletAddress } from '../common.ts'
import { scope } from './keys.ts'

const resolved = z.object({
  account_id: z.int().min(0),
  kind: z.enum(['agent', 'owner', 'service']),
  wallet: walletAddress.nullable(),
  roles: z.array(z.enum(['admin', 'reviewer', 'keeper'])),
  scopes: z.array(scope),
  key_id: z.string().nullable(),
  session_id: z.string().nullable(),
  /** When the credential ends by itself; null = never. */
  expires_at: instant.nullable(),
})

/** Keys and tokens as the gateway resolves them. */
export const credentialOperations = {
  resolveCredentials: operation({
    summary: 'Return whose credentials these are now; null for one that does not work',
    auth: 'service',
    callers: ['gateway'],
    input: z.strictObject({
      credentials: z
        .array(
          z.discriminatedUnion('kind', [
            z.strictObject({ kind: z.literal('key'), hash: z.string().regex(/^[0-9a-f]{64}$/) }),
            z.strictObject({ kind: z.literal('token'), token: z.string().min(1).max(2048) }),
          ]),
        )
        .min(1)
        .max(500),
    }),
    success: { 200: z.object({ callers: z.array(resolved.nullable()) }) },
  }),
}

export const credentialJobs = {
  forgetEnded: job({
    summary: 'Delete sessions over for 30 days, keys revoked or expired for a year, and pair codes older than 30 days',
    everyMs: 3_600_000,
    max: 5000,
    budgetSec: 60,
  }),
}
