import { BAND_PCTS, SCAN_LATE_MS, type TargetsOfAccount } from '@svc/contracts/market-data/targets'
import type { Context } from '#context.ts'
import { scannedPairs } from '#listings/store/venues.ts'
import { SCAN_FLAGS } from './rules/scan.ts'
import { newestScans, type NewestScan } from './store/scans.ts'
import { targetsOf, type TargetRow } from './store/targets.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'pool' | 'venues' | 'board'>

/** Returns the targets of an account with their newest scan, grades and outlook. */
export async function targetList(
  { pool, board, venues }: Parts,
  accountId: number,
  now: Date,
): Promise<TargetsOfAccount> {
  const targets = await targetsOf(pool, accountId)
  const exchanges = [...new Set(targets.map((one) => one.exchange))]
  const [newest, snapshot, places] = await Promise.all([
    newestScans(
      pool,
      targets.map((one) => one.instance_id),
      now,
    ),
    board.latest(),
    scannedPairs(pool, exchanges),
  ])
  const byInstance = new Map(newest.map((one) => [one.instance_id, one]))
  return {
    used: targets.filter((one) => one.status === 'active').length,
    targets: targets.map((target) => {
      const row = snapshot?.byTokenId.get(target.token_id)?.row
      return {
        exchange: target.exchange,
        symbol: target.symbol,
        token_id: target.token_id,
        status: target.status === 'paused' ? 'paused' : 'active',
        microburst_hf_captures: target.hf_captures,
        added_at: target.added_at,
        scan: scanOf(target, byInstance.get(target.instance_id), now.getTime()),
        grade: row?.grade ?? null,
        gpa: row?.gpa ?? null,
        gpa_is_lower_bound: row?.gpa_is_lower_bound ?? false,
        grades: row?.grades ?? null,
        lifecycle: row?.lifecycle ?? null,
        outlook: row?.outlook ?? null,
        alerts: row?.alerts ?? null,
        recent_alerts: row?.recent_alerts ?? null,
        not_judged: row?.not_judged ?? null,
      } as const
    }),
    exchanges: places.map(({ exchange, listed, scanned }) => ({
      exchange,
      scan_capacity: venues.get(exchange)?.scanCapacity(listed) ?? null,
      scan_pairs: scanned,
    })),
  }
}

/** Returns why a pair cannot be scanned, whatever its exchange would answer; null if it can. */
function reasonOf({ trading, answered_at }: TargetRow, now: number) {
  if (trading !== 'trading') return trading
  return answered_at === null || now - Date.parse(answered_at) > SCAN_LATE_MS ? 'exchange_silent' : null
}

const BAND_CUTS = [SCAN_FLAGS.cut01, SCAN_FLAGS.cut05, SCAN_FLAGS.cut1, SCAN_FLAGS.truncated]

/** Returns the bands of the newest known depth; none of scans of the last release, which lack the narrowest. */
function bandsOf(newest: NewestScan | undefined) {
  const { bids = null, asks = null, depth_flags: flags = null } = newest ?? {}
  if (bids === null || asks === null || flags === null) return []
  return BAND_PCTS.flatMap((band_pct, place) => {
    const [bid, ask] = [bids[place] ?? null, asks[place] ?? null]
    const is_lower_bound = (flags & (BAND_CUTS[place] ?? 0)) !== 0
    return bid === null || ask === null ? [] : [{ band_pct, bid_usd: bid, ask_usd: ask, is_lower_bound }]
  })
}

function scanOf(target: TargetRow, newest: NewestScan | undefined, now: number) {
  const at = newest?.minute ?? null
  const late = now - Date.parse(at ?? target.added_at) > SCAN_LATE_MS
  const standing = () => {
    if (target.status === 'paused') return 'paused'
    if (late) return 'late'
    if (at === null) return 'pending'
    return newest?.usable === true ? 'ok' : 'failing'
  }
  return {
    status: standing(),
    reason: reasonOf(target, now),
    at,
    error: newest?.error ?? null,
    mid: newest?.mid ?? null,
    spread_bps: newest?.spread_bps ?? null,
    depth_2pct_usd: newest?.depth_2pct_usd ?? null,
    depth_is_lower_bound: newest?.depth_truncated ?? false,
    depth_at: newest?.depth_at ?? null,
    depth_bands: bandsOf(newest),
    ok_1h: newest?.ok_1h ?? 0,
  } as const
}
