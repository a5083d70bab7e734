import type { TargetHistory } from '@svc/contracts/market-data/research'
import type { BoardEntry } from '#board/rules/board.ts'
import { componentsOf, explainedRisk } from '#board/rules/explain.ts'
import { worthOf } from '#board/rules/delisting-worth.ts'
import { COMPONENTS, type Component } from '#board/rules/grades.ts'

const PEERS_MIN = 20

/** Returns an entry of a board with its rank among its peers and among all trading pairs. O(n). */
export function boardStanding(
  board: { readonly computed_at: string; readonly formula_version: string; readonly ranked: readonly BoardEntry[] },
  entry: BoardEntry,
): NonNullable<TargetHistory['board']> {
  return {
    computed_at: board.computed_at,
    formula_version: board.formula_version,
    row: entry.row,
    n_peers: entry.n_peers,
    components: componentsOf(entry),
    risk: explainedRisk(entry),
    worth: worthOf(entry.risk),
    peers: COMPONENTS.map((key) => ({
      key,
      value: entry.values[key],
      is_lower_bound: key === 'depth' && entry.row.depth_is_lower_bound,
      venue: { percentile: entry.percentiles[key], n: entry.n_peers },
      all: placeAmong(board.ranked, key, entry.values[key]),
    })),
  }
}

/** Returns the mid-rank in percent; 100 is the most liquid; null with fewer than 20 values. */
function placeAmong(entries: readonly BoardEntry[], key: Component, value: number | null) {
  let n = 0
  let below = 0
  for (const { values } of entries) {
    const other = values[key]
    if (other === null) continue
    n += 1
    if (value !== null) below += other < value ? 1 : other === value ? 0.5 : 0
  }
  if (value === null || n < PEERS_MIN) return { percentile: null, n }
  const share = (below / n) * 100
  return { percentile: Math.round((key === 'spread' ? 100 - share : share) * 10) / 10, n }
}
