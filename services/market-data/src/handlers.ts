import type { marketData } from '@svc/contracts/market-data'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { addTarget } from './targets/operations/add-target.ts'
import { countTargets } from './targets/operations/count-targets.ts'
import { explainToken } from './board/operations/explain-token.ts'
import { findPairs } from './board/operations/find-pairs.ts'
import { listArbitrage } from './arbitrage/operations/list-arbitrage.ts'
import { listArbitrageMulti } from './arbitrage/operations/list-arbitrage-multi.ts'
import { listArbitrageReel } from './arbitrage/operations/list-arbitrage-reel.ts'
import { listCrisisAlerts } from './crisis/operations/list-crisis-alerts.ts'
import { listRiskBottom } from './board/operations/list-risk-bottom.ts'
import { listTargets } from './targets/operations/list-targets.ts'
import { readBoard } from './screener/operations/read-board.ts'
import { readCoverage } from './board/operations/read-coverage.ts'
import { readScoreboard } from './scoreboard/operations/read-scoreboard.ts'
import { readTargetHistory } from './research/operations/read-target-history.ts'
import { readTokenHistory } from './history/operations/read-token-history.ts'
import { readTargets } from './targets/operations/read-targets.ts'
import { removeTarget } from './targets/operations/remove-target.ts'
import { searchTokens } from './board/operations/search-tokens.ts'

export const handlers = {
  readBoard,
  searchTokens,
  explainToken,
  readTokenHistory,
  readCoverage,
  readScoreboard,
  listRiskBottom,
  findPairs,
  addTarget,
  listTargets,
  removeTarget,
  readTargets,
  countTargets,
  listCrisisAlerts,
  listArbitrage,
  listArbitrageReel,
  listArbitrageMulti,
  readTargetHistory,
} satisfies Handlers<Context, typeof marketData>
