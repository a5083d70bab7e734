import { contract, event } from '@svc/contract'
import { feedItemMade } from '../subscriptions/feed-catalogue.ts'
import { alertJobs, alertOperations } from './crisis.ts'
import { arbitrageJobs, arbitrageOperations } from './arbitrage.ts'
import { boardJobs, boardOperations, boardSettings } from './board.ts'
import { historyOperations } from './history.ts'
import { scoreboardJobs, scoreboardOperations } from './scoreboard.ts'
import { screenerOperations } from './screener.ts'
import { researchJobs, researchOperations } from './research.ts'
import { targetJobs, targetOperations } from './targets.ts'

export { pair, PAIRS_PER_CALL_MAX, type Pair } from './board.ts'

export const marketData = contract('market-data', {
  title: 'Token board, priority targets, arbitrage and crisis alerts',
  operations: {
    ...screenerOperations,
    ...boardOperations,
    ...scoreboardOperations,
    ...historyOperations,
    ...targetOperations,
    ...alertOperations,
    ...arbitrageOperations,
    ...researchOperations,
  },
  events: {
    feedItemMade: event({ summary: 'A feed has a new item', payload: feedItemMade }),
  },
  consumes: ['subscriptions.tierChanged', 'mining.fieldVerified'],
  jobs: { ...boardJobs, ...scoreboardJobs, ...targetJobs, ...alertJobs, ...arbitrageJobs, ...researchJobs },
  settings: { ...boardSettings },
})
