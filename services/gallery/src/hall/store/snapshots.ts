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

/** Which agents a list has: all or those that accept mandates, of any or of one kind of operator. */
const LISTS = [false, true].flatMap((accepting) =>
  (['', 'signal', 'vault'] as const).map((operator) => ({ accepting, operator })),
)

/** Stores the order of every list that a page may be read from; one that did not change is not written. */
export async function storeOrders(tx: Tx): Promise<void> {
  const comma = sql.fragment`, `
  const has = ({ accepting, operator }: (typeof LISTS)[number]) =>
    sql.fragment`(NOT ${accepting} OR accepting) AND (${operator} = '' OR operator = ${operator})`
  const lists = sql.join(
    LISTS.map((list, at) => {
      const columns = [sql.identifier([`total_${at}`]), sql.identifier([`agents_${at}`])] as const
      return sql.fragment`count(*) FILTER (WHERE ${has(list)}) AS ${columns[0]},
        string_agg(int8send(agent_id), ''::bytea) FILTER (WHERE ${has(list)}) AS ${columns[1]}`
    }),
    comma,
  )
  const rows = sql.join(
    LISTS.map(
      ({ accepting, operator }, at) =>
        sql.fragment`(${accepting}::boolean, ${operator}::text, ${sql.identifier([`total_${at}`])}, ${sql.identifier([`agents_${at}`])})`,
    ),
    comma,
  )
  // The rows are sorted once, and the lists take theirs out of them in that order.
  for (const [at, period] of HALL_WINDOWS.entries())
    for (const sort of HALL_SORTS)
      await tx.query(sql.unsafe`
        INSERT INTO hall_order AS o (period, sort, accepting, operator, total, agents)
        SELECT ${period}, ${sort}, f.accepting, f.operator, f.total, coalesce(f.agents, ''::bytea)
        FROM (
          SELECT ${lists}
          FROM (SELECT agent_id, accepting, operator FROM hall_record ORDER BY ${orderOf(sort, at + 1)}) AS sorted
        ) AS l, LATERAL (VALUES ${rows}) AS f (accepting, operator, total, agents)
        ON CONFLICT (period, sort, accepting, operator) DO UPDATE SET total = excluded.total, agents = excluded.agents
        WHERE o.agents <> excluded.agents`)
}

/** Lets one pass at a time compute the Hall, until its transaction ends. */
export async function lockHall(tx: Tx): Promise<void> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended('gallery.hall', 0))`)
}

const computedAtRow = z.object({ computed_at: z.string() })

/** Returns when the newest pass computed the Hall; null before the first. */
export async function newestPass(db: Db): Promise<string | null> {
  return db.maybeOneFirst(sql.type(computedAtRow)`SELECT computed_at FROM hall_snapshot`)
}

const agentsRow = z.object({ agents: z.number() })

/** Stores the snapshot with the figures of all mandates. Returns the number of rows of the Hall. */
export async function storeSnapshot(tx: Tx, now: Date): Promise<number> {
  return tx.oneFirst(sql.type(agentsRow)`
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
