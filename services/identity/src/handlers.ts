import type { identity } from '@svc/contracts/identity'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { createKey } from './keys/operations/create-key.ts'
import { createPairCode } from './pairing/operations/create-pair-code.ts'
import { endSession } from './sessions/operations/end-session.ts'
import { getAccounts } from './accounts/operations/get-accounts.ts'
import { listAgents } from './agents/operations/list-agents.ts'
import { listHallAgents } from './hall-agents/operations/list-hall-agents.ts'
import { listKeys } from './keys/operations/list-keys.ts'
import { listSigningKeys } from './sessions/operations/list-signing-keys.ts'
import { mintServiceToken } from './sessions/operations/mint-service-token.ts'
import { noteActivity } from './agents/operations/note-activity.ts'
import { openSession } from './sessions/operations/open-session.ts'
import { pairAgent } from './pairing/operations/pair-agent.ts'
import { readAgent } from './agents/operations/read-agent.ts'
import { findAgentsByWallet } from './agents/operations/find-agents-by-wallet.ts'
import { readAgents } from './agents/operations/read-agents.ts'
import { readHallAgents } from './hall-agents/operations/read-hall-agents.ts'
import { readHallOwners } from './hall-agents/operations/read-hall-owners.ts'
import { readOwnAgent } from './agents/operations/read-own-agent.ts'
import { readPolicy } from './policy/operations/read-policy.ts'
import { refreshSession } from './sessions/operations/refresh-session.ts'
import { registerAgent } from './agents/operations/register-agent.ts'
import { relatedAccounts } from './accounts/operations/related-accounts.ts'
import { replacePolicy } from './policy/operations/replace-policy.ts'
import { redeemLinkNonce } from './wallets/operations/redeem-link-nonce.ts'
import { requestLinkNonce } from './wallets/operations/request-link-nonce.ts'
import { requestNonce } from './wallets/operations/request-nonce.ts'
import { resolveCredentials } from './credentials/operations/resolve-credentials.ts'
import { revokeOwnerSpending } from './pairing/operations/revoke-owner-spending.ts'
import { revokeKey } from './keys/operations/revoke-key.ts'
import { setKeyScopes } from './agents/operations/set-key-scopes.ts'
import { signBalanceRoot } from './balance-roots/operations/sign-balance-root.ts'
import { signLegReceipt } from './leg-receipts/operations/sign-leg-receipt.ts'
import { signRecordHead } from './record-heads/operations/sign-record-head.ts'

export const handlers = {
  requestNonce,
  requestLinkNonce,
  redeemLinkNonce,
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
  revokeOwnerSpending,
  listAgents,
  readOwnAgent,
  readAgent,
  readPolicy,
  replacePolicy,
  setKeyScopes,
  noteActivity,
  findAgentsByWallet,
  readAgents,
  signRecordHead,
  signLegReceipt,
  signBalanceRoot,
  readHallAgents,
  readHallOwners,
  listHallAgents,
} satisfies Handlers<Context, typeof identity>
