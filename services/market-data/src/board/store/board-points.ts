import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { BoardEntry } from '../rules/board.ts'
import { encodePoint } from '../rules/board-point.ts'

/** Minutes of a step. */
export type StepMinutes = 5 | 60 | 1_440

const COLUMNS = sql.fragment`instance_ids, gpa, risk_score, spread_bps, depth_2pct_usd, volume_24h_usd, price, change_24h_pct,
  grades, state, alerts`

/** Creates the partitions for the points of a time. */
export async function makePointPartitions(db: Db, at: Date): Promise<void> {
  await db.query(sql.unsafe`SELECT make_board_partitions(${at.toISOString()}::timestamptz)`)
}

const droppedRow = z.object({ dropped: z.number() })

/** Drops partitions of which every point is older than the given times; returns their number. */
export async function dropPointPartitions(
  db: Db,
  before: { readonly five: Date; readonly hours: Date; readonly days: Date },
): Promise<number> {
  return db.oneFirst(sql.type(droppedRow)`
    SELECT drop_board_partitions(${before.five.toISOString()}::timestamptz, ${before.hours.toISOString()}::timestamptz,
      ${before.days.toISOString()}::timestamptz) AS dropped`)
}

const numberArrays = {
  int2: sql.fragment`int2[]`,
  int4: sql.fragment`int4[]`,
  float4: sql.fragment`float4[]`,
  float8: sql.fragment`float8[]`,
}

/** Stores what a board shows of each instance as the point of its five minutes; a later board of the same ones replaces it. */
export async function putPoints(tx: Tx, computedAt: Date, entries: readonly BoardEntry[]): Promise<void> {
  const codes = entries.map(({ row }) => encodePoint(row))
  // The driver would look at each of two hundred thousand numbers for characters to escape.
  const column = (
    read: (entry: BoardEntry, index: number) => number | null,
    type: 'int2' | 'int4' | 'float4' | 'float8',
  ) => {
    const numbers = entries.map((entry, index) => read(entry, index) ?? 'NULL')
    return sql.fragment`${`{${numbers.join(',')}}`}::${numberArrays[type]}`
  }
  const at = computedAt.toISOString()
  // One sort serves all aggregates, because all have the same order.
  await tx.query(sql.unsafe`
    INSERT INTO board_point (step, part, at, computed_at, ${COLUMNS})
    SELECT 5, id >> 6, date_bin('5 minutes', ${at}::timestamptz, 'epoch'), ${at}, array_agg(id ORDER BY id),
      array_agg(gpa ORDER BY id), array_agg(risk ORDER BY id), array_agg(spread ORDER BY id), array_agg(depth ORDER BY id),
      array_agg(volume ORDER BY id), array_agg(price ORDER BY id), array_agg(change ORDER BY id), array_agg(grades ORDER BY id),
      array_agg(state ORDER BY id), array_agg(alerts ORDER BY id)
    FROM unnest(${column((entry) => entry.instance_id, 'int4')},
      ${column(({ row }) => (row.gpa === null ? null : Math.round(row.gpa * 100)), 'int2')},
      ${column(({ row }) => row.risk_score, 'int2')}, ${column(({ row }) => row.spread_bps, 'float4')},
      ${column(({ row }) => row.depth_2pct_usd, 'float4')}, ${column(({ row }) => row.volume_24h_usd, 'float4')},
      ${column(({ row }) => row.price, 'float8')}, ${column(({ row }) => row.change_24h_pct, 'float4')},
      ${column((_, index) => codes[index]?.grades ?? 0, 'int4')}, ${column((_, index) => codes[index]?.state ?? 0, 'int4')},
      ${column((_, index) => codes[index]?.alerts ?? 0, 'int4')})
      AS one (id, gpa, risk, spread, depth, volume, price, change, grades, state, alerts)
    GROUP BY id >> 6
    ON CONFLICT (step, part, at) DO UPDATE SET computed_at = excluded.computed_at, instance_ids = excluded.instance_ids,
      gpa = excluded.gpa, risk_score = excluded.risk_score, spread_bps = excluded.spread_bps,
      depth_2pct_usd = excluded.depth_2pct_usd, volume_24h_usd = excluded.volume_24h_usd, price = excluded.price,
      change_24h_pct = excluded.change_24h_pct, grades = excluded.grades, state = excluded.state, alerts = excluded.alerts`)
}

/**
 * Stores the last points of every hour, and then of every day, that ended before `now` and is not stored yet. Looks back
 * two days for hours and five for days, as long as their finer points are kept.
 */
export async function rollUpPoints(tx: Tx, now: Date): Promise<void> {
  const [hour, day] = [sql.fragment`'hour'`, sql.fragment`'day'`]
  await rollUp(tx, now, { from: 5, to: 60, unit: hour, lookBack: '2 days' })
  await rollUp(tx, now, { from: 60, to: 1_440, unit: day, lookBack: '5 days' })
}

interface RollUp {
  readonly from: StepMinutes
  readonly to: StepMinutes
  readonly unit: ReturnType<typeof sql.fragment>
  readonly lookBack: string
}

async function rollUp(tx: Tx, now: Date, { from, to, unit, lookBack }: RollUp): Promise<void> {
  const at = now.toISOString()
  // The newest stored step bounds what is read. Of the points of a step the last one comes first, and is taken.
  await tx.query(sql.unsafe`
    INSERT INTO board_point (step, part, at, computed_at, ${COLUMNS})
    SELECT DISTINCT ON (part, date_trunc(${unit}, at, 'UTC')) ${to}::smallint, part, date_trunc(${unit}, at, 'UTC'), computed_at,
      ${COLUMNS}
    FROM board_point
    WHERE step = ${from} AND at < date_trunc(${unit}, ${at}::timestamptz, 'UTC')
      AND at >= greatest(date_trunc(${unit}, ${at}::timestamptz - ${lookBack}::interval, 'UTC'),
        (SELECT max(at) + ${to} * interval '1 minute' FROM board_point WHERE step = ${to}))
    ORDER BY part, date_trunc(${unit}, at, 'UTC'), at DESC
    ON CONFLICT DO NOTHING`)
}

const pointRow = z.object({
  at: z.string(),
  computed_at: z.string(),
  instance_id: z.number(),
  gpa: z.number().nullable(),
  risk_score: z.number().nullable(),
  spread_bps: z.number().nullable(),
  depth_2pct_usd: z.number().nullable(),
  volume_24h_usd: z.number().nullable(),
  price: z.number().nullable(),
  change_24h_pct: z.number().nullable(),
  grades: z.number(),
  state: z.number(),
  alerts: z.number(),
  crises: z.number(),
})
export type StoredPoint = z.output<typeof pointRow>

/** The figures of one instance in a stored row, and the crises that were open in its step. */
const FIGURES = sql.fragment`at, computed_at, instance.instance_id, gpa[i] AS gpa, risk_score[i] AS risk_score, spread_bps[i] AS spread_bps,
  depth_2pct_usd[i] AS depth_2pct_usd, volume_24h_usd[i] AS volume_24h_usd, price[i] AS price,
  change_24h_pct[i] AS change_24h_pct, grades[i] AS grades, state[i] AS state, alerts[i] AS alerts,
  (SELECT count(*)::int FROM crisis_episode AS episode WHERE episode.instance_id = instance.instance_id
    AND opened_at < at + step * interval '1 minute' AND (closed_at IS NULL OR closed_at > at)) AS crises`

/** Rows of the instances of a token; naming their parts lets the index find them, whatever the planner thinks of a join. */
const stored = (instanceIds: readonly number[], step: StepMinutes) => sql.fragment`
  unnest(${sql.array([...instanceIds], 'int4')}) AS instance (instance_id)
    JOIN board_point ON step = ${step} AND part = ANY (${sql.array([...new Set(instanceIds.map((id) => id >> 6))], 'int4')})
      AND part = instance.instance_id >> 6,
    LATERAL (SELECT array_position(instance_ids, instance.instance_id) AS i) AS place`

/** Returns the points of a token's instances in a span of time, oldest first: of two instances the newer one. */
export async function readPoints(
  db: Db,
  instanceIds: readonly number[],
  step: StepMinutes,
  span: { readonly from: Date; readonly to: Date; readonly max: number },
): Promise<readonly StoredPoint[]> {
  return db.any(sql.type(pointRow)`
    SELECT DISTINCT ON (at) ${FIGURES} FROM ${stored(instanceIds, step)}
    WHERE at >= ${span.from.toISOString()} AND at < ${span.to.toISOString()} AND i IS NOT NULL
    ORDER BY at, instance.instance_id DESC LIMIT ${span.max}`)
}

/** Returns what the board showed of a token at a time: the newest point until then, not older than `within`; else null. */
export async function readPointAt(
  db: Db,
  instanceIds: readonly number[],
  step: StepMinutes,
  { at, within }: { readonly at: Date; readonly within: number },
): Promise<StoredPoint | null> {
  const oldest = new Date(at.getTime() - within).toISOString()
  return db.maybeOne(sql.type(pointRow)`
    SELECT ${FIGURES} FROM ${stored(instanceIds, step)}
    WHERE at > ${oldest} AND at <= ${at.toISOString()} AND computed_at <= ${at.toISOString()} AND i IS NOT NULL
    ORDER BY at DESC, instance.instance_id DESC LIMIT 1`)
}

const pairRow = z.object({
  token_id: z.string(),
  exchange: z.string(),
  symbol: z.string(),
  instance_ids: z.array(z.number()),
})

/** A symbol that was listed more often than this has only its newest instances in a history. */
const INSTANCES_MAX = 20

/** Returns the pair of a token id that is or was listed, with its newest instances; null for any other. */
export async function pairOfToken(db: Db, tokenId: string): Promise<z.output<typeof pairRow> | null> {
  return db.maybeOne(sql.type(pairRow)`
    SELECT token_id, exchange, symbol, ARRAY(
      SELECT instance_id FROM token_instance AS instance WHERE instance.token_id = token.token_id
      ORDER BY instance_id DESC LIMIT ${INSTANCES_MAX}) AS instance_ids
    FROM token WHERE token_id = ${tokenId}`)
}
