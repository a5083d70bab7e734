import type { identity } from '@svc/contracts/identity'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { createKey } from './operations/create-key.ts'
import { createPairCode } from './operations/create-pair-code.ts'
import { endSession } from './operations/end-session.ts'
import { getAccounts } from './operations/get-accounts.ts'
import { listAgents } from './operations/list-agents.ts'
import { listKeys } from './operations/list-keys.ts'
import { listSigningKeys } from './operations/list-signing-keys.ts'
import { mintServiceToken } from './operations/mint-service-token.ts'
import { noteActivity } from './operations/note-activity.ts'
import { openSession } from './operations/open-session.ts'
import { pairAgent } from './operations/pair-agent.ts'
import { readAgent } from './operations/read-agent.ts'
import { readAgents } from './operations/read-agents.ts'
import { readOwnAgent } from './operations/read-own-agent.ts'
import { readPolicy } from './operations/read-policy.ts'
import { refreshSession } from './operations/refresh-session.ts'
import { registerAgent } from './operations/register-agent.ts'
import { relatedAccounts } from './operations/related-accounts.ts'
import { replacePolicy } from './operations/replace-policy.ts'
import { requestNonce } from './operations/request-nonce.ts'
import { resolveCredentials } from './operations/resolve-credentials.ts'
import { revokeKey } from './operations/revoke-key.ts'
import { setKeyScopes } from './operations/set-key-scopes.ts'
import { signRecordHead } from './operations/sign-record-head.ts'

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
  createPairCode,
  pairAgent,
  listAgents,
  readOwnAgent,
  readAgent,
  readPolicy,
  replacePolicy,
  setKeyScopes,
  noteActivity,
  readAgents,
  signRecordHead,
} satisfies Handlers<Context, typeof identity>
