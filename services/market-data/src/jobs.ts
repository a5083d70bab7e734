import type { Job } from '@svc/service'
import type { Context } from './context.ts'
import { readHours } from './research/jobs/read-hours.ts'
import { bucketScans } from './research/jobs/bucket-scans.ts'
import { captureBursts } from './captures/jobs/capture-bursts.ts'
import { computeBoard } from './board/jobs/compute-board.ts'
import { deepenBooks } from './markets/jobs/deepen-books.ts'
import { forgetObservations } from './board/jobs/forget-observations.ts'
import { keepScoreboard } from './scoreboard/jobs/keep-scoreboard.ts'
import { keepScans } from './targets/jobs/keep-scans.ts'
import { readAnnouncements } from './listings/jobs/read-announcements.ts'
import { listMarkets } from './listings/jobs/list-markets.ts'
import { listRegulated } from './assets/jobs/list-regulated.ts'
import { matchArbitrage } from './arbitrage/jobs/match-arbitrage.ts'
import { observeMarkets } from './markets/jobs/observe-markets.ts'
import { readCandles } from './markets/jobs/read-candles.ts'
import { rotateBooks } from './markets/jobs/rotate-books.ts'
import { scanTargets } from './targets/jobs/scan-targets.ts'
import { tellPool } from './targets/jobs/tell-pool.ts'
import { watchCrisis } from './crisis/jobs/watch-crisis.ts'
import { mirrorVenues } from './markets/venue-states.ts'
import { addVenueErrors } from './listings/store/venues.ts'

const HOUR_MS = 3_600_000

/** Stores the failures of venues that a tick counted, so that no job has to look for them. */
const withVenueErrors =
  (job: (context: Context) => Job) =>
  (context: Context): Job =>
  async (signal) => {
    const report = await job(context)(signal)
    const { pool, clock, errors } = context
    const counts = errors.take()
    const hour = new Date(Math.floor(clock.now().getTime() / HOUR_MS) * HOUR_MS)
    if (counts.length > 0) await addVenueErrors(pool, hour, counts)
    return report
  }

/** Jobs that read the quotes and terms of all venues; the others need their rates and minutes. */
const OVER_ALL_QUOTES: ReadonlySet<string> = new Set(['matchArbitrage'])

/** Reads what other processes know of their venues before a job that may use it. */
const withOthers =
  (name: string, job: (context: Context) => Job) =>
  (context: Context): Job =>
  async (signal) => {
    await mirrorVenues(context, OVER_ALL_QUOTES.has(name))
    return job(context)(signal)
  }

const jobsOfSubjects: Readonly<Record<string, (context: Context) => Job>> = {
  listMarkets,
  readAnnouncements,
  observeMarkets,
  rotateBooks,
  deepenBooks,
  readCandles,
  listRegulated,
  computeBoard,
  forgetObservations,
  keepScoreboard,
  scanTargets,
  keepScans,
  bucketScans,
  readHours,
  watchCrisis,
  captureBursts,
  matchArbitrage,
  tellPool,
}

/** The jobs of the service, by their names in the contract. */
export const jobs: typeof jobsOfSubjects = Object.fromEntries(
  Object.entries(jobsOfSubjects).map(([name, job]) => [name, withVenueErrors(withOthers(name, job))]),
)
