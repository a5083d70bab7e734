import { setTimeout as delay } from 'node:timers/promises'
import { openVenues } from '@svc/tools/dev/venues.ts'
import { usageOfMinutes } from './between-passes.ts'
import { cpuSeconds, usageSupported } from './process-usage.ts'
import type { Benchmark } from './result.ts'
import { openStage, startServices } from './stage.ts'

/** 1,400 pairs at five venues, as `npm start` has. */
const TOKENS = 300
const LOOK_MS = 5_000
/** The passes of a minute end within these seconds. */
const PASS_SECONDS = 15
const SETTLE_MS_MAX = 600_000

/** The CPU of market-data while nobody asks it: all passes over the pairs, and the time between them. */
export const idle: Benchmark = async ({ short, dataDir, note }) => {
  await using stage = await openStage(dataDir)
  await using cleanup = new AsyncDisposableStack()
  const venues = await openVenues({ kind: 'replay', tokens: TOKENS }, note)
  cleanup.defer(() => venues.stop())
  await using services = await startServices(stage, { names: ['market-data'], settings: venues.environment })
  const [service = 0] = services.pids

  note('idle: candles of all pairs are read once')
  const unread = async () => {
    const { rows } = await stage.admin.query<{ pairs: number; unread: number }>(
      `SELECT count(*)::int AS pairs, (count(*) FILTER (WHERE computed_at IS NULL))::int AS unread
       FROM market_data.token_instance LEFT JOIN market_data.candle_features USING (instance_id) WHERE trading = 'trading'`,
    )
    return rows[0] ?? { pairs: 0, unread: 0 }
  }
  const until = performance.now() + SETTLE_MS_MAX
  let counted = await unread()
  while ((counted.pairs === 0 || counted.unread > counted.pairs * 0.01) && performance.now() < until) {
    await delay(LOOK_MS)
    counted = await unread()
  }

  const minutes = short ? 2 : 5
  note(`idle: ${minutes} minutes with ${counted.pairs} pairs`)
  const { between, windows, total } = await usageOfMinutes(minutes, PASS_SECONDS, () => cpuSeconds([service]))
  const percent = (share: number) => `${(share * 100).toFixed(2)} %`
  return {
    figures: [
      {
        what: `market-data with ${counted.pairs} pairs and no target, between the passes of a minute: share of a core`,
        goal: '≤ 1 %',
        measured: usageSupported ? `${percent(between)} (median of ${windows} windows of 5 s)` : 'not on Linux',
        met: usageSupported ? between <= 0.01 : null,
        holdsBack: 'The heartbeat of the lease, the outbox, and a look for turns that another process opened.',
      },
      {
        what: `The same over ${minutes} minutes, all passes included`,
        goal: '–',
        measured: usageSupported ? percent(total) : 'not on Linux',
        met: null,
        holdsBack: 'Prices of all pairs each minute, books of all pairs within five minutes, through ccxt.',
      },
    ],
  }
}
