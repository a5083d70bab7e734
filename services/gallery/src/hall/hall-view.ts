import type { hallDetail, hallProof, HallRow } from '@svc/contracts/gallery/hall'
import type { z } from 'zod'
import type { Context } from '#context.ts'
import type { StoredRow } from './store/pages.ts'

/** Age at which a snapshot is stale. */
const STALE_MS = 600_000

/** Returns the members about the snapshot that every answer of the Hall has. */
export const snapshotOf = (computedAt: string | null, { clock }: Pick<Context, 'clock'>) => ({
  computed_at: computedAt,
  stale: computedAt !== null && clock.now().getTime() - Date.parse(computedAt) > STALE_MS,
  pending: computedAt === null,
})

/** Returns a stored row as readers see it. A good row counts as computed by the pass that found its facts unchanged. */
export function rowView(row: StoredRow, passAt: string): HallRow {
  const body = row.body as Omit<HallRow, 'ranked' | 'rank'>
  return {
    ...body,
    ...(row.of_window as object),
    rank: row.rank,
    ranked: row.ranked && row.standing !== 'error',
    accepting: row.accepting,
    operator: row.operator,
    house: row.house,
    degraded: row.standing === 'degraded',
    record_error: row.standing === 'error',
    row_computed_at: row.standing === 'good' ? passAt : new Date(row.computed_at).toISOString(),
  }
}

/** Returns the stored page of an agent. */
export const detailView = (stored: unknown) => stored as z.output<typeof hallDetail>

/** Returns the stored figures of all mandates; unknown before the first pass. */
export const proofView = (stored: unknown): z.output<typeof hallProof> =>
  (stored ?? {
    mandates_working: null,
    calls_refused_on_chain: null,
    days_inside_limits: null,
    records_verifiable_pct: null,
  }) as z.output<typeof hallProof>
