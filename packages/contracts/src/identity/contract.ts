import { contract } from '@svc/contract'
import { accountOperations } from './accounts.ts'
import { agentEvents, agentOperations } from './agents.ts'
import { balanceRootOperations } from './balance-roots.ts'
import { credentialJobs, credentialOperations } from './credentials.ts'
import { hallAgentOperations } from './hall-agents.ts'
import { keyEvents, keyOperations } from './keys.ts'
import { legReceiptOperations } from './leg-receipts.ts'
import { pairingEvents, pairingOperations } from './pairing.ts'
import { policyEvents, policyOperations } from './policy.ts'
import { recordHeadOperations } from './record-heads.ts'
import { sessionEvents, sessionOperations } from './sessions.ts'
import { identitySettings } from './settings.ts'
import { walletOperations } from './wallets.ts'

/** Accounts, sign-in, API keys, sessions, roles, and the agents' pairing and policy. */
export const identity = contract('identity', {
  title: 'Accounts, sign-in, API keys, sessions and agents',
  settings: identitySettings,
  operations: {
    ...walletOperations,
    ...sessionOperations,
    ...keyOperations,
    ...credentialOperations,
    ...accountOperations,
    ...pairingOperations,
    ...agentOperations,
    ...policyOperations,
    ...recordHeadOperations,
    ...legReceiptOperations,
    ...balanceRootOperations,
    ...hallAgentOperations,
  },
  events: { ...agentEvents, ...pairingEvents, ...policyEvents, ...keyEvents, ...sessionEvents },
  jobs: credentialJobs,
})
