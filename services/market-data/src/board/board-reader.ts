import type { Pool } from '@svc/postgres'
import type { Clock } from '@svc/service'
import { isTooOldForCalm } from '#crisis/alerts.ts'
import { unpackEntries } from './board-codec.ts'
import type { BoardEntry } from './rules/board.ts'
import { screenedOf, type Screened } from './rules/screen-order.ts'
import { newestSnapshotId, readSnapshot, type SnapshotHead } from './store/snapshots.ts'

/** Interval at which requests check for a snapshot of another process. */
const LOOK_MS = 500

/** A snapshot as it is served. */
export interface Board extends SnapshotHead {
  /** Every instance, including ended instances of a reused symbol. */
  readonly entries: readonly BoardEntry[]
  /** The current instance of each symbol, ordered by 24-hour volume, then by id. */
  readonly ranked: readonly BoardEntry[]
  readonly byTokenId: ReadonlyMap<string, BoardEntry>
  /** The rows of `ranked`, ready for queries. */
  readonly screened: Screened
  readonly exchanges: ReadonlySet<string>
}

/** Returns the newest snapshot, decoded once per process; null before the first. */
export interface BoardReader {
  /** For answers: a snapshot of more than ten minutes ago calls no pair free of alerts. */
  latest(): Promise<Board | null>
  /** Checks the database for the newest snapshot. */
  fresh(): Promise<Board | null>
  /** Uses a snapshot that this process has just stored. */
  keep(stored: SnapshotHead, entries: readonly BoardEntry[]): void
}

export function boardReader(pool: Pool, clock: Clock): BoardReader {
  let board: Board | null = null
  /** The old snapshot without its claims of calm. */
  let aged: Board | null = null
  let lookedAt = -Infinity
  let looking: Promise<Board | null> | null = null
  const look = async (): Promise<Board | null> => {
    const id = await newestSnapshotId(pool)
    if (id === null) return null
    if (id !== board?.id) {
      const stored = await readSnapshot(pool, id)
      if (stored !== null) {
        const { rows, ...head } = stored
        board = boardOf(head, await unpackEntries(rows))
      }
    }
    lookedAt = performance.now()
    return board
  }
  const fresh = () =>
    (looking ??= look().finally(() => {
      looking = null
    }))
  return {
    fresh,
    keep: (stored, entries) => {
      board = boardOf(stored, entries)
    },
    latest: async () => {
      const newest = board !== null && performance.now() - lookedAt < LOOK_MS ? board : await fresh()
      if (newest === null || !isTooOldForCalm(newest.computed_at, clock.now())) return newest
      if (aged?.id !== newest.id) aged = boardOf(newest, newest.entries.map(withoutCalm))
      return aged
    },
  }
}

const withoutCalm = (entry: BoardEntry): BoardEntry =>
  entry.row.alerts?.length === 0 ? { ...entry, row: { ...entry.row, alerts: null, not_judged: null } } : entry

/** Orders the entries of a snapshot for answers. */
function boardOf(head: SnapshotHead, entries: readonly BoardEntry[]): Board {
  // Instance ids grow, so the last instance of a symbol is the current one.
  const byTokenId = new Map(entries.map((entry) => [entry.row.token_id, entry]))
  const ranked = [...byTokenId.values()].sort(
    (a, b) => (b.row.volume_24h_usd ?? -1) - (a.row.volume_24h_usd ?? -1) || (a.row.token_id < b.row.token_id ? -1 : 1),
  )
  const rows = ranked.map(({ row }) => row)
  const exchanges = new Set(rows.map(({ exchange }) => exchange))
  return { ...head, entries, ranked, byTokenId, screened: screenedOf(rows), exchanges }
}
