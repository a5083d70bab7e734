import { instant, json, sql, table, typed, type Db, type RowOf } from '@svc/postgres'
import { z } from 'zod'

const dueRow = z.object({
  exchange: z.string(),
  instance_id: z.number(),
  symbol: z.string(),
  quote: z.string(),
  is_target: z.boolean(),
})
export type ClosesDue = z.output<typeof dueRow>

/** How far back missing minutes are filled: the hour that the crash rule compares, and its tolerance. */
const BACK = sql.fragment`interval '65 minutes'`
/** Fewer missing minutes in a row hide nothing: a rule takes the price of up to five minutes later. */
const GAP_MINUTES = 6

/**
 * Returns the trading instances of an exchange whose candles were not read since the last gap in its observations, within the hour
 * before `newest`, which is observed. Empty if there is no gap.
 */
export async function closesDue(
  db: Db,
  exchange: string,
  newest: Date,
  without: readonly number[],
): Promise<readonly ClosesDue[]> {
  const until = sql.fragment`${newest.toISOString()}::timestamptz`
  return db.any(sql.type(dueRow)`
    WITH state AS (
      SELECT minute, NOT EXISTS (SELECT FROM observation WHERE exchange = ${exchange} AND observation.minute = one.minute) AS missed
      FROM generate_series(${until} - ${BACK}, ${until}, interval '1 minute') AS one (minute)
    ), gap AS (
      SELECT max(minute) + interval '1 minute' AS ended FROM (
        SELECT minute, count(*) FILTER (WHERE missed) OVER (ORDER BY minute ROWS ${GAP_MINUTES - 1} PRECEDING) AS missed FROM state
      ) AS run WHERE missed = ${GAP_MINUTES}
    )
    SELECT exchange, instance_id, symbol, quote,
      EXISTS (SELECT FROM target WHERE target.token_id = token.token_id AND status = 'active') AS is_target
    FROM gap, token JOIN token_instance USING (instance_id) LEFT JOIN candle_close USING (instance_id)
    WHERE exchange = ${exchange} AND trading = 'trading' AND ended IS NOT NULL AND (read_at IS NULL OR read_at < ended)
      AND instance_id <> ALL (${sql.array([...without], 'int4')})`)
}

const closes = table('candle_close', {
  instanceId: typed('int4', z.number()),
  firstMinute: typed('timestamptz', instant),
  tradedSince: typed('timestamptz', instant),
  closes: json(z.array(z.number().nullable())),
  readAt: typed('timestamptz', instant),
})
const replaceCloses = closes.onConflict(['instanceId'])
export type CandleCloses = RowOf<typeof closes>

export async function putCloses(db: Db, rows: readonly CandleCloses[]): Promise<void> {
  if (rows.length > 0) await db.query(sql.unsafe`${closes.insertAll(rows)} ${replaceCloses}`)
}

/** Rows per page. */
const PAGE = 1_000

/** Returns the closes that were read at or after a time. Reads pages, so that the event loop is not blocked. */
export async function closesSince(db: Db, readAt: Date): Promise<readonly CandleCloses[]> {
  const all: CandleCloses[] = []
  for (;;) {
    const page = await db.any(sql.type(closes.row)`
      SELECT ${closes.list} FROM candle_close
      WHERE read_at >= ${readAt.toISOString()} AND instance_id > ${all.at(-1)?.instanceId ?? 0}
      ORDER BY instance_id LIMIT ${PAGE}`)
    all.push(...page)
    if (page.length < PAGE) return all
  }
}

/** Deletes closes that no rule needs any more; returns how many. */
export async function forgetCloses(db: Db, now: Date, max: number): Promise<number> {
  const { rowCount } = await db.query(sql.unsafe`
    DELETE FROM candle_close WHERE instance_id IN (
      SELECT instance_id FROM candle_close WHERE read_at < ${now.toISOString()}::timestamptz - interval '3 hours' LIMIT ${max})`)
  return rowCount
}
