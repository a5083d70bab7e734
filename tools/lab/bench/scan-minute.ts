// Runs the jobs that scan targets, in a process of its own so that nothing else is counted. The clock is the real one.
import { setTimeout as delay } from 'node:timers/promises'
import { marketData } from '@svc/contracts/market-data'
import { jobs } from '@svc/market-data/jobs'
import { systemClock } from '@svc/service'
import { openMarketData } from './market-data-jobs.ts'

const { context } = await openMarketData(systemClock)
const run = (name: string) => jobs[name]?.(context)(AbortSignal.timeout(60_000))

process.on('message', ({ seconds }: { seconds: number }) => {
  void (async () => {
    const before = process.cpuUsage()
    const end = performance.now() + seconds * 1_000
    if (seconds === 0) for (const name of ['listMarkets', 'observeMarkets', 'keepScans']) await run(name)
    while (performance.now() < end) {
      const report = await run('scanTargets')
      const next = report?.nextAt?.getTime() ?? Date.now() + marketData.jobs.scanTargets.everyMs
      await delay(Math.max(20, Math.min(next - Date.now(), end - performance.now())))
    }
    const { user, system } = process.cpuUsage(before)
    process.send?.({ seconds: (user + system) / 1e6 })
  })()
})
process.send?.({ ready: true })
