// Runs the jobs that scan targets, in a process of its own so that nothing else is counted. The clock is the real one.
import { setTimeout as delay } from 'node:timers/promises'
import { loadSettings } from '@svc/contract'
import { marketData } from '@svc/contracts/market-data'
import { createContext } from '@svc/market-data/context'
import { jobs } from '@svc/market-data/jobs'
import { openPool } from '@svc/postgres'
import { openLog, systemClock, type Bus } from '@svc/service'

const pool = await openPool(process.env['SVC_POSTGRES_URL'] ?? '')
const context = createContext({
  pool,
  authority: null,
  settings: loadSettings(marketData.settings, process.env),
  clock: systemClock,
  log: openLog('market-data', 'silent'),
  // A scan asks no other service.
  bus: {} as Bus,
})
const run = (name: string) => jobs[name]?.(context)(AbortSignal.timeout(60_000))
for (const { budget } of context.venues.values())
  // The connection to Redis is being made, and without it no venue is asked.
  while (
    !(await budget.closedForMs().then(
      () => true,
      () => false,
    ))
  )
    await delay(20)

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
