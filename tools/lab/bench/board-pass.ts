// Runs the job that computes the board, in a process of its own so that nothing else is counted.
import { loadSettings } from '@svc/contract'
import { marketData } from '@svc/contracts/market-data'
import { createContext } from '@svc/market-data/context'
import { jobs } from '@svc/market-data/jobs'
import { openPool } from '@svc/postgres'
import { fitHeap, openLog, pacedClock, type Bus } from '@svc/service'

const pool = await openPool(process.env['SVC_POSTGRES_URL'] ?? '')
let now = Date.parse(process.env['BENCH_NOW'] ?? '')
const context = createContext({
  pool,
  authority: null,
  settings: loadSettings(marketData.settings, process.env),
  clock: pacedClock(() => now),
  log: openLog('market-data', 'silent'),
  // A board asks no other service.
  bus: {} as Bus,
})
const passOf = jobs['computeBoard']
if (passOf === undefined) throw new Error('there is no job computeBoard')
const pass = passOf({ ...context, startedAt: 0 })
fitHeap()

process.on('message', () => {
  const before = process.cpuUsage()
  void pass(AbortSignal.timeout(60_000)).then(({ done }) => {
    const { user, system } = process.cpuUsage(before)
    now += 300_000
    process.send?.({ done, seconds: (user + system) / 1e6, mb: process.memoryUsage().rss / 1e6 })
  })
})
process.send?.({ ready: true })
