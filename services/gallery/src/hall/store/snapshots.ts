import { HALL_SORTS, HALL_WINDOWS, type HallSort } from '@svc/contracts/gallery/hall'
import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const place = sql.fragment`days_live DESC, trades_total DESC, agent_id`

/** Order of a list: what cannot be built last, ranked agents first, then by the sort with null last, then the tie order. */
function orderOf(sort: HallSort, window: number) {
  const by = {
    days_live: sql.fragment`days_live DESC`,
    // The low end of the interval, so that the luckiest of many agents gains nothing.
    worth_change: sql.fragment`worth_low_bps[${window}] IS NULL, (independent_owners > 0) DESC, worth_low_bps[${window}] DESC`,
    adherence: sql.fragment`adherence_pct[${window}] DESC NULLS LAST`,
    trades: sql.fragment`trades[${window}] DESC`,
    drawdown: sql.fragment`drawdown_bps[${window}] NULLS LAST`,
  }[sort]
  return sql.fragment`standing = 'error', ranked DESC, ${by}, ${place}`
}

/** Sets the rank of every ranked agent: its place by worth change over all days. */
export async function storeRanks(tx: Tx): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE hall_record h SET rank = p.rank
    FROM (
      SELECT agent_id, CASE WHEN ranked AND standing <> 'error' THEN
        row_number() OVER (ORDER BY ${orderOf('worth_change', HALL_WINDOWS.indexOf('all') + 1)})::int END AS rank
      FROM hall_record
    ) AS p
    WHERE p.agent_id = h.agent_id AND p.rank IS DISTINCT FROM h.rank`)
}

/** Stores the order of every list that a page may be read from; one that did not change is not written. */
export async function storeOrders(tx: Tx): Promise<void> {
  for (const [at, period] of HALL_WINDOWS.entries())
    for (const sort of HALL_SORTS)
      await tx.query(sql.unsafe`
        INSERT INTO hall_order AS o (period, sort, accepting, operator, total, agents)
        SELECT ${period}, ${sort}, f.accepting, f.operator, count(r.agent_id),
          coalesce(string_agg(int8send(r.agent_id), ''::bytea ORDER BY r.place), ''::bytea)
        FROM (VALUES (false, ''), (true, ''), (false, 'signal'), (true, 'signal'), (false, 'vault'), (true, 'vault'))
          AS f (accepting, operator)
        LEFT JOIN (
          SELECT agent_id, accepting, operator, row_number() OVER (ORDER BY ${orderOf(sort, at + 1)}) AS place FROM hall_record
        ) AS r ON (NOT f.accepting OR r.accepting) AND (f.operator = '' OR r.operator = f.operator)
        GROUP BY f.accepting, f.operator
        ON CONFLICT (period, sort, accepting, operator) DO UPDATE SET total = excluded.total, agents = excluded.agents
        WHERE o.agents <> excluded.agents`)
}

/** Lets one pass at a time compute the Hall, until its transaction ends. */
export async function lockHall(tx: Tx): Promise<void> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended('gallery.hall', 0))`)
}

/** Returns when the newest pass computed the Hall; null before the first. */
export async function newestPass(db: Db): Promise<string | null> {
  return db.maybeOneFirst(sql.type(z.object({ computed_at: z.string() }))`SELECT computed_at FROM hall_snapshot`)
}

/** Stores the snapshot with the figures of all mandates. Returns the number of rows of the Hall. */
export async function storeSnapshot(tx: Tx, now: Date): Promise<number> {
  return tx.oneFirst(sql.type(z.object({ agents: z.number() }))`
    INSERT INTO hall_snapshot (seq, computed_at, agents, proof)
    SELECT 1, ${now.toISOString()}, (SELECT count(*) FROM hall_record), jsonb_build_object(
      'mandates_working', (SELECT count(*) FROM fact_mandate WHERE state = 'working'),
      'calls_refused_on_chain', (SELECT coalesce(sum(refused_on_chain), 0) FROM fact_day WHERE refused_on_chain > 0),
      'days_inside_limits', (SELECT coalesce(sum(days_inside), 0) FROM hall_record WHERE standing <> 'error'),
      'records_verifiable_pct', (SELECT round(100.0 * count(*) FILTER (WHERE public_proof) / nullif(count(*), 0), 2)
        FROM fact_mandate WHERE opened_at IS NOT NULL))
    ON CONFLICT (id) DO UPDATE SET seq = hall_snapshot.seq + 1, computed_at = excluded.computed_at,
      agents = excluded.agents, proof = excluded.proof
    RETURNING agents`)
}
