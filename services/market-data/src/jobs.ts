import type { Job } from '@svc/service'
import type { Context } from './context.ts'
import { bucketScans } from './jobs/bucket-scans.ts'
import { captureBursts } from './jobs/capture-bursts.ts'
import { computeBoard } from './jobs/compute-board.ts'
import { forgetObservations } from './jobs/forget-observations.ts'
import { keepScans } from './jobs/keep-scans.ts'
import { listMarkets } from './jobs/list-markets.ts'
import { matchArbitrage } from './jobs/match-arbitrage.ts'
import { observeMarkets } from './jobs/observe-markets.ts'
import { readCandles } from './jobs/read-candles.ts'
import { rotateBooks } from './jobs/rotate-books.ts'
import { scanTargets } from './jobs/scan-targets.ts'
import { tellPool } from './jobs/tell-pool.ts'
import { watchCrisis } from './jobs/watch-crisis.ts'

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
