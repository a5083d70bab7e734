// Runs the job that computes the board, in a process of its own so that nothing else is counted.
import { jobs } from '@svc/market-data/jobs'
import { pacedClock } from '@svc/service'
import { openMarketData } from './market-data-jobs.ts'

let now = Date.parse(process.env['BENCH_NOW'] ?? '')
const { context } = await openMarketData(pacedClock(() => now))
const passOf = jobs['computeBoard']
if (passOf === undefined) throw new Error('there is no job computeBoard')
const pass = passOf({ ...context, startedAt: 0 })

process.on('message', () => {
  const before = process.cpuUsage()
  void pass(AbortSignal.timeout(60_000)).then(({ done }) => {
    const { user, system } = process.cpuUsage(before)
    now += 300_000
    process.send?.({ done, seconds: (user + system) / 1e6, mb: process.memoryUsage().rss / 1e6 })
  })
})
process.send?.({ ready: true })
