import { contract } from '@svc/contract'
import { heartbeatEvents } from '../common/heartbeat.ts'
import { attemptEvents, attemptJobs } from './attempts.ts'
import { chainOperations } from './chain.ts'
import { depositEvents, depositJobs, depositOperations } from './deposits.ts'
import { chainIndexerSettings } from './settings.ts'
import { streamEvents } from './streams.ts'
import { transactionEvents, transactionJobs, transactionOperations } from './transactions.ts'
import { vaultEvents, vaultJobs, vaultOperations } from './vaults.ts'

export { chainIndexerRefusals } from './refusals.ts'

/**
 * Facts of the chain for other services. Operations return 503 while the RPC is unavailable or contradicts itself; no
 * response contains the RPC's address. Amounts are decimal strings of base units.
 */
export const chainIndexer = contract('chain-indexer', {
  title: 'Chain facts',
  operations: { ...chainOperations, ...transactionOperations, ...vaultOperations, ...depositOperations },
  events: {
    ...heartbeatEvents,
    ...vaultEvents,
    ...attemptEvents,
    ...depositEvents,
    ...transactionEvents,
    ...streamEvents,
  },
  jobs: { ...vaultJobs, ...attemptJobs, ...depositJobs, ...transactionJobs },
  settings: chainIndexerSettings,
})
