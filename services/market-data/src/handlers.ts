import type { marketData } from '@svc/contracts/market-data'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { addTarget } from './operations/add-target.ts'
import { countTargets } from './operations/count-targets.ts'
import { explainToken } from './operations/explain-token.ts'
import { findPairs } from './operations/find-pairs.ts'
import { listArbitrage } from './operations/list-arbitrage.ts'
import { listArbitrageMulti } from './operations/list-arbitrage-multi.ts'
import { listArbitrageReel } from './operations/list-arbitrage-reel.ts'
import { listCrisisAlerts } from './operations/list-crisis-alerts.ts'
import { listRiskBottom } from './operations/list-risk-bottom.ts'
import { listTargets } from './operations/list-targets.ts'
import { readBoard } from './operations/read-board.ts'
import { readCoverage } from './operations/read-coverage.ts'
import { readTargetHistory } from './operations/read-target-history.ts'
import { removeTarget } from './operations/remove-target.ts'
import { searchTokens } from './operations/search-tokens.ts'

export const handlers = {
  readBoard,
  searchTokens,
  explainToken,
  readCoverage,
  listRiskBottom,
  findPairs,
  addTarget,
  listTargets,
  removeTarget,
  countTargets,
  listCrisisAlerts,
  listArbitrage,
  listArbitrageReel,
  listArbitrageMulti,
  readTargetHistory,
} satisfies Handlers<Context, typeof marketData>
