import type { HallSort, HallWindow } from '@svc/contracts/gallery/hall'
import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const rowColumns = {
  agent_id: z.number(),
  computed_at: z.string(),
  standing: z.enum(['good', 'degraded', 'error']),
  ranked: z.boolean(),
  rank: z.number().nullable(),
  accepting: z.boolean(),
  operator: z.enum(['signal', 'vault']).nullable(),
  house: z.boolean(),
  body: z.unknown(),
  of_window: z.unknown(),
}
const storedRow = z.object(rowColumns)
/** A row as a pass stored it, with the figures of one window. */
export type StoredRow = z.output<typeof storedRow>
const agentRow = z.object({ ...rowColumns, snapshot_at: z.string(), detail: z.unknown() })

/** Place of a window in the arrays of a record, from 0. */
const PLACES = { '7d': 0, '30d': 1, '90d': 2, all: 3 } as const

const columnsOf = (window: HallWindow) => sql.fragment`
  h.agent_id, h.computed_at, h.standing, h.ranked, h.rank, h.accepting, h.operator, h.house, h.body,
  h.windows -> ${PLACES[window]}::int AS of_window`

const pageRow = z.object({
  computed_at: z.string(),
  total: z.number(),
  rows: z.array(z.unknown()),
})
/** A page of a list. */
export interface Page {
  readonly computed_at: string
  readonly total: number
  readonly rows: readonly StoredRow[]
}

/** Which page of which list. */
export interface PageKey {
  readonly window: HallWindow
  readonly sort: HallSort
  readonly accepting: boolean
  readonly operator: 'signal' | 'vault' | null
  readonly limit: number
  readonly offset: number
}

/**
 * Returns a page with its snapshot, in one statement, so that both are of the same pass; null before the first. It reads
 * the bytes of its own agents out of the stored order, so that a page costs the same whatever the length of the list.
 */
export async function readPage(db: Db, key: PageKey): Promise<Page | null> {
  const { window, sort, accepting, operator, limit, offset } = key
  const page = await db.maybeOne(sql.prepared('hall_page', pageRow)`
    WITH page AS MATERIALIZED (
      SELECT total, substring(agents FROM ${offset}::int * 8 + 1 FOR ${limit}::int * 8) AS agents
      FROM hall_order
      WHERE period = ${window} AND sort = ${sort} AND accepting = ${accepting} AND operator = ${operator ?? ''}
    ), places AS MATERIALIZED (
      SELECT place, ('x' || encode(substring(agents FROM place * 8 + 1 FOR 8), 'hex'))::bit(64)::bigint AS agent_id
      FROM page, generate_series(0, length(page.agents) / 8 - 1) AS place
    )
    SELECT s.computed_at, page.total, coalesce((
      SELECT json_agg(json_build_object('agent_id', h.agent_id, 'computed_at', h.computed_at, 'standing', h.standing,
        'ranked', h.ranked, 'rank', h.rank, 'accepting', h.accepting, 'operator', h.operator, 'house', h.house,
        'body', h.body, 'of_window', h.windows -> ${PLACES[window]}::int) ORDER BY places.place)
      FROM places JOIN hall_record h USING (agent_id)), '[]') AS rows
    FROM hall_snapshot s, page`)
  return page === null ? null : { ...page, rows: page.rows as readonly StoredRow[] }
}

/** Returns the record of an agent with the time of the snapshot; null if it has none. */
export function readRecord(db: Db, agentId: number, window: HallWindow): Promise<z.output<typeof agentRow> | null> {
  return db.maybeOne(sql.type(agentRow)`
    SELECT ${columnsOf(window)}, h.detail, s.computed_at AS snapshot_at
    FROM hall_snapshot s, hall_record h WHERE h.agent_id = ${agentId}`)
}

/** Returns the rows of agents, in no order. */
export function readRows(db: Db, agentIds: readonly number[]): Promise<readonly StoredRow[]> {
  return db.any(sql.type(storedRow)`
    SELECT ${columnsOf('all')} FROM hall_record h WHERE h.agent_id = ANY(${sql.array([...agentIds], 'int8')})`)
}

const proofRow = z.object({ computed_at: z.string(), proof: z.unknown() })
/** Returns the figures of all mandates in the newest snapshot; null before the first. */
export function readProof(db: Db): Promise<z.output<typeof proofRow> | null> {
  return db.maybeOne(sql.prepared('hall_proof', proofRow)`SELECT computed_at, proof FROM hall_snapshot`)
}
