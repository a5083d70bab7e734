import type { marketData } from '@svc/contracts/market-data'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { explainToken } from './operations/explain-token.ts'
import { findPairs } from './operations/find-pairs.ts'
import { listRiskBottom } from './operations/list-risk-bottom.ts'
import { readBoard } from './operations/read-board.ts'
import { readCoverage } from './operations/read-coverage.ts'
import { readTargetHistory } from './operations/read-target-history.ts'
import { searchTokens } from './operations/search-tokens.ts'

export const handlers = {
  readBoard,
  searchTokens,
  explainToken,
  readCoverage,
  listRiskBottom,
  findPairs,
  readTargetHistory,
} satisfies Handlers<Context, typeof marketData>
