import type { TargetHistory } from '@svc/contracts/market-data/research'
import type { BoardEntry } from '#board/rules/board.ts'
import { quoteClassOf } from '#markets/rules/usd-rates.ts'

/** Nearest pairs by volume on either side. */
const EITHER_SIDE = 2

/**
 * Returns the place of an entry by its risk score among the pairs of its venue and class of quote currency, the riskiest first,
 * and the pairs of another asset with the nearest volumes. `ranked` is ordered by volume. O(n).
 */
export function riskPeers(ranked: readonly BoardEntry[], own: BoardEntry): TargetHistory['peers'] {
  const { exchange, base, quote, token_id } = own.row
  const group = ranked.filter(
    ({ row }) =>
      row.exchange === exchange && quoteClassOf(row.quote) === quoteClassOf(quote) && row.lifecycle !== 'delisted',
  )
  const scores = group.flatMap(({ risk }) => risk?.score ?? [])
  const score = own.risk?.score ?? null
  const place = group.findIndex(({ row }) => row.token_id === token_id)
  const others = (from: readonly BoardEntry[]) =>
    from.filter(({ row }) => row.base !== base && row.volume_24h_usd !== null)
  const near =
    place < 0 || own.row.volume_24h_usd === null
      ? []
      : [...others(group.slice(0, place)).slice(-EITHER_SIDE), ...others(group.slice(place + 1)).slice(0, EITHER_SIDE)]
  return {
    rank: score === null ? null : 1 + scores.filter((other) => other > score).length,
    of: scores.length,
    volume_rank: place < 0 || own.row.volume_24h_usd === null ? null : place + 1,
    near: near.map(({ row, risk }) => ({
      token_id: row.token_id,
      symbol: row.symbol,
      grade: row.grade,
      gpa_is_lower_bound: row.gpa_is_lower_bound,
      risk_score: risk?.score ?? null,
      lifecycle: row.lifecycle,
      alerts: row.alerts,
      recent_alerts: row.recent_alerts,
      not_judged: row.not_judged,
      spread_bps: row.spread_bps,
      depth_2pct_usd: row.depth_2pct_usd,
      depth_is_lower_bound: row.depth_is_lower_bound,
      volume_24h_usd: row.volume_24h_usd,
    })),
  }
}
