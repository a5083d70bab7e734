import { setTimeout as delay } from 'node:timers/promises'
import { loadSettings } from '@svc/contract'
import { marketData } from '@svc/contracts/market-data'
import { createContext, type Context } from '@svc/market-data/context'
import { openPool } from '@svc/postgres'
import { fitHeap, openLog, type Bus, type Clock, unwatched } from '@svc/service'

/**
 * Opens what jobs of market-data need, for a process that runs them itself so that nothing else is counted. Its heap is
 * fitted as that of a service is (docs/adr/0015). Resolves when the venues may be asked.
 */
export async function openMarketData(
  clock: Clock,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly context: Context; readonly pool: Awaited<ReturnType<typeof openPool>> }> {
  const pool = await openPool(process.env['SVC_POSTGRES_URL'] ?? '')
  const context = createContext({
    pool,
    authority: null,
    settings: loadSettings(marketData.settings, { ...process.env, ...settings }),
    clock,
    log: openLog('market-data', process.env['DEBUG_LOG'] ?? 'silent'),
    // The measured jobs ask no other service.
    bus: {} as Bus,
    watch: () => unwatched,
  })
  const answers = (budget: { closedForMs(): Promise<number> }) =>
    budget.closedForMs().then(
      () => true,
      () => false,
    )
  // The connection to Redis is being made, and without it no venue is asked.
  for (const { budget } of context.venues.values()) while (!(await answers(budget))) await delay(20)
  fitHeap()
  return { context, pool }
}
