import type { Job } from '@svc/service'
import type { Context } from './context.ts'
import { bucketScans } from './research/jobs/bucket-scans.ts'
import { captureBursts } from './captures/jobs/capture-bursts.ts'
import { computeBoard } from './board/jobs/compute-board.ts'
import { forgetObservations } from './board/jobs/forget-observations.ts'
import { keepScans } from './targets/jobs/keep-scans.ts'
import { listMarkets } from './listings/jobs/list-markets.ts'
import { matchArbitrage } from './arbitrage/jobs/match-arbitrage.ts'
import { observeMarkets } from './markets/jobs/observe-markets.ts'
import { readCandles } from './markets/jobs/read-candles.ts'
import { rotateBooks } from './markets/jobs/rotate-books.ts'
import { scanTargets } from './targets/jobs/scan-targets.ts'
import { tellPool } from './targets/jobs/tell-pool.ts'
import { watchCrisis } from './crisis/jobs/watch-crisis.ts'

export const jobs: Readonly<Record<string, (context: Context) => Job>> = {
  listMarkets,
  observeMarkets,
  rotateBooks,
  readCandles,
  computeBoard,
  forgetObservations,
  scanTargets,
  keepScans,
  bucketScans,
  watchCrisis,
  captureBursts,
  matchArbitrage,
  tellPool,
}
