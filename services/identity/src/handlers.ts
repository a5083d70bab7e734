import type { identity } from '@svc/contracts/identity'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { createKey } from './operations/create-key.ts'
import { endSession } from './operations/end-session.ts'
import { getAccounts } from './operations/get-accounts.ts'
import { listKeys } from './operations/list-keys.ts'
import { listSigningKeys } from './operations/list-signing-keys.ts'
import { mintServiceToken } from './operations/mint-service-token.ts'
import { openSession } from './operations/open-session.ts'
import { refreshSession } from './operations/refresh-session.ts'
import { registerAgent } from './operations/register-agent.ts'
import { relatedAccounts } from './operations/related-accounts.ts'
import { requestNonce } from './operations/request-nonce.ts'
import { resolveCredentials } from './operations/resolve-credentials.ts'
import { revokeKey } from './operations/revoke-key.ts'

export const handlers = {
  requestNonce,
  registerAgent,
  openSession,
  refreshSession,
  endSession,
  listKeys,
  createKey,
  revokeKey,
  listSigningKeys,
  mintServiceToken,
  resolveCredentials,
  relatedAccounts,
  getAccounts,
} satisfies Handlers<Context, typeof identity>
