import { contract } from '@svc/contract'
import { attemptEvents, attemptJobs } from './attempts.ts'
import { chainOperations } from './chain.ts'
import { depositEvents, depositJobs, depositOperations } from './deposits.ts'
import { chainIndexerSettings } from './settings.ts'
import { streamEvents } from './streams.ts'
import { transactionEvents, transactionJobs, transactionOperations } from './transactions.ts'
import { vaultEvents, vaultJobs, vaultOperations } from './vaults.ts'

export { chainIndexerRefusals } from './refusals.ts'

/**
 * Facts of the chain for the other services. Operations answer 503 while the RPC is away or contradicts itself;
 * nothing of the RPC's address ever stands in an answer. Amounts are decimal strings of base units.
 */
export const chainIndexer = contract('chain-indexer', {
  title: 'Chain facts',
  operations: { ...chainOperations, ...transactionOperations, ...vaultOperations, ...depositOperations },
  events: { ...vaultEvents, ...attemptEvents, ...depositEvents, ...transactionEvents, ...streamEvents },
  jobs: { ...vaultJobs, ...attemptJobs, ...depositJobs, ...transactionJobs },
  settings: chainIndexerSettings,
})
