import { contract } from '@svc/contract'
import { boardJobs, boardOperations, boardSettings } from './market-data-board.ts'

export { pair, PAIRS_PER_CALL_MAX, type Pair } from './market-data-board.ts'

export const marketData = contract('market-data', {
  title: 'Token board, priority targets, arbitrage and crisis alerts',
  operations: { ...boardOperations },
  jobs: { ...boardJobs },
  settings: { ...boardSettings },
})
