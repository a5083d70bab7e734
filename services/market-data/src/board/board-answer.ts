import type { Board } from './board-reader.ts'
import type { Context } from '#context.ts'

const STALE_MS = 15 * 60_000

/** Returns the members about the snapshot that every answer of the board has. */
export function snapshotOf(board: Board | null, { clock, source }: Pick<Context, 'clock' | 'source'>) {
  return {
    computed_at: board?.computed_at ?? null,
    stale: board !== null && clock.now().getTime() - Date.parse(board.computed_at) > STALE_MS,
    pending: board === null,
    source: board?.source ?? source,
  }
}
