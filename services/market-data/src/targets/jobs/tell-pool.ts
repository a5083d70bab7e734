import { marketData } from '@svc/contracts/market-data'
import { emit } from '@svc/postgres'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { scanWords } from '../rules/scan.ts'
import { alertsAt, type Alerts } from '#crisis/alerts.ts'
import { lastPoolMinute, notePoolMinute, poolScans, type PoolScan } from '../store/pool-minutes.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'pool' | 'clock' | 'venues' | 'scanning'>

const MINUTE_MS = 60_000
/** Time after a minute until its last scans are stored. */
const SETTLE_MS = 5_000
const ITEMS_MAX = marketData.jobs.tellPool.max

/** Publishes each whole minute of the pool once: the number of targets, and those that moved most against their hour. */
export const tellPool =
  ({ pool, clock, venues, scanning }: Parts): Job =>
  async () => {
    if (venues.size === 0) return { done: 0 }
    const minute = new Date((Math.floor((clock.now().getTime() - SETTLE_MS) / MINUTE_MS) - 1) * MINUTE_MS)
    const nextAt = new Date(minute.getTime() + 2 * MINUTE_MS + SETTLE_MS)
    // Every stored scan wakes this job: most of its ticks end here.
    if (scanning.poolMinute >= minute.getTime()) return { done: 0, nextAt }
    const last = await lastPoolMinute(pool)
    if (last !== null) scanning.poolMinute = Date.parse(last)
    if (scanning.poolMinute >= minute.getTime()) return { done: 0, nextAt }
    const scans = await poolScans(pool, minute)
    if (scans.length === 0) return { done: 0, nextAt }
    const items = scans.toSorted((a, b) => movement(b) - movement(a)).slice(0, ITEMS_MAX)
    const alerts = await alertsAt(pool, clock.now())
    const told = await pool.transaction(async (tx) => {
      if (!(await notePoolMinute(tx, minute))) return false
      const at = minute.toISOString()
      await emit(tx, marketData.events.feedItemMade, {
        feed_key: 'priority_pool',
        at,
        data: { minute: at, targets: scans.length, items: items.map((one) => itemOf(one, alerts)) },
      })
      return true
    })
    return { done: told ? items.length : 0, nextAt }
  }

/**
 * Returns how far spread or depth is from its median of the hour before, as a log ratio; infinite for a failed scan. A depth
 * that is a lower bound has not moved.
 */
function movement({ spread_bps, spread_before, depth_before, error, ...scan }: PoolScan): number {
  if (error !== null) return Infinity
  const depth = scan.depth_truncated === true ? null : scan.depth_2pct_usd
  const ratio = (now: number | null, before: number | null) =>
    now === null || before === null || now <= 0 || before <= 0 ? 0 : Math.abs(Math.log(now / before))
  return Math.max(ratio(spread_bps, spread_before), ratio(depth, depth_before))
}

const itemOf = ({ exchange, symbol, price, spread_bps, flags, error, ...scan }: PoolScan, alerts: Alerts) => ({
  exchange,
  symbol,
  price,
  spread_bps,
  depth_2pct_usd: scan.depth_2pct_usd,
  depth_is_lower_bound: scan.depth_truncated ?? false,
  flags: scanWords(flags, error),
  alerts: alerts.ofPair(exchange, symbol).alerts,
})
