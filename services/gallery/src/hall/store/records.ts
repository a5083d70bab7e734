import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { HallRecord } from '../rules/record.ts'

/** A record with the facts and the day for which it was computed. */
export interface ComputedRecord {
  readonly agentId: number
  readonly version: number
  readonly record: HallRecord
}

const arrayText = (values: readonly (number | null)[]): string =>
  `{${values.map((value) => (value === null ? 'NULL' : String(value))).join(',')}}`

/** Stores rows whole, in place of the former ones. */
export async function storeRecords(
  tx: Tx,
  records: readonly ComputedRecord[],
  { day, now }: { readonly day: string; readonly now: Date },
): Promise<void> {
  const rows = records.map(({ agentId, version, record }) => [
    agentId,
    version,
    record.ranked,
    record.body.days_live,
    record.tradesTotal,
    record.violations30d,
    record.daysInside,
    record.independentOwners,
    record.independentPrincipal,
    record.accepting,
    arrayText(record.windows.map((one) => one.worth_change_low_bps)),
    arrayText(record.windows.map((one) => one.adherence_pct)),
    arrayText(record.windows.map((one) => one.trades)),
    arrayText(record.windows.map((one) => one.max_drawdown_bps)),
    JSON.stringify(record.body),
    JSON.stringify(record.windows),
    JSON.stringify(record.detail),
  ])
  await tx.query(sql.unsafe`
    INSERT INTO hall_record (agent_id, facts_version, day, computed_at, standing, ranked, days_live, trades_total,
      violations_30d, days_inside, independent_owners, independent_principal_usdc, accepting, house, worth_low_bps, adherence_pct, trades,
      drawdown_bps, body, windows, detail)
    SELECT agent_id, version, ${day}::date, ${now.toISOString()}::timestamptz, 'good', ranked, days_live, trades_total,
      violations_30d, days_inside, independent_owners, independent_principal, accepting, false, worth_low::int[], adherence::real[],
      trades::bigint[], drawdown::int[], body::jsonb, windows::jsonb, detail::json
    FROM ${sql.unnest(rows, ['int8', 'int8', 'bool', 'int4', 'int8', 'int4', 'int4', 'int4', 'int8', 'bool', 'text', 'text', 'text', 'text', 'text', 'text', 'text'])}
      AS r (agent_id, version, ranked, days_live, trades_total, violations_30d, days_inside, independent_owners,
        independent_principal,        accepting, worth_low, adherence, trades, drawdown, body, windows, detail)
    ORDER BY agent_id
    ON CONFLICT (agent_id) DO UPDATE SET facts_version = excluded.facts_version, day = excluded.day,
      computed_at = excluded.computed_at, standing = 'good', ranked = excluded.ranked, days_live = excluded.days_live,
      trades_total = excluded.trades_total, violations_30d = excluded.violations_30d,
      days_inside = excluded.days_inside, independent_owners = excluded.independent_owners,
      independent_principal_usdc = excluded.independent_principal_usdc, accepting = excluded.accepting,
      worth_low_bps = excluded.worth_low_bps, adherence_pct = excluded.adherence_pct, trades = excluded.trades,
      drawdown_bps = excluded.drawdown_bps, body = excluded.body, windows = excluded.windows, detail = excluded.detail`)
}

const idRow = z.object({ id: z.number() })

/**
 * Keeps the last good row of agents whose row cannot be built, as degraded with the time of the snapshot in which it was
 * good. Returns those whose good row is older than `keepSince`, or that never had one: theirs becomes a record error.
 */
export async function keepGoodRecords(
  tx: Tx,
  agentIds: readonly number[],
  { keepSince, lastPass }: { readonly keepSince: Date; readonly lastPass: string | null },
): Promise<readonly number[]> {
  const ids = sql.array([...agentIds], 'int8')
  await tx.query(sql.unsafe`
    UPDATE hall_record SET standing = 'degraded', computed_at = greatest(computed_at, ${lastPass}::timestamptz)
    WHERE agent_id = ANY(${ids}) AND standing = 'good'`)
  return tx.anyFirst(sql.type(idRow)`
    SELECT id FROM unnest(${ids}) AS id
    LEFT JOIN hall_record h ON h.agent_id = id
    WHERE h.agent_id IS NULL OR (h.standing = 'degraded' AND h.computed_at < ${keepSince.toISOString()})
    ORDER BY id`)
}

/** Replaces the rows of agents by rows that say that no record can be built. */
export async function storeRecordErrors(
  tx: Tx,
  records: readonly ComputedRecord[],
  given: { readonly day: string; readonly now: Date },
): Promise<void> {
  if (records.length === 0) return
  await storeRecords(tx, records, given)
  await tx.query(sql.unsafe`
    UPDATE hall_record SET standing = 'error'
    WHERE agent_id = ANY(${sql.array(
      records.map(({ agentId }) => agentId),
      'int8',
    )})`)
}

const nameRow = z.object({ agent_id: z.number(), name: z.string(), accepts: z.boolean(), version: z.number() })
/** Returns what is known of agents without their mandates. */
export function namesOf(db: Db, agentIds: readonly number[]): Promise<readonly z.output<typeof nameRow>[]> {
  return db.any(sql.type(nameRow)`
    SELECT a.agent_id, a.name, a.accepts, c.version FROM fact_agent a JOIN fact_change c USING (agent_id)
    WHERE a.agent_id = ANY(${sql.array([...agentIds], 'int8')}) ORDER BY a.agent_id`)
}

/** Sets which agents are operators now, and which the house runs. Returns the number of rows that changed. */
export async function noteOperators(tx: Tx, houseRunnerId: number | null): Promise<number> {
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE hall_record h SET operator = n.kind, house = n.house
    FROM (
      SELECT r.agent_id, min(o.kind) AS kind,
        coalesce(bool_or(o.house), false) OR coalesce(r.agent_id = ${houseRunnerId}::bigint, false) AS house
      FROM hall_record r
      LEFT JOIN operator o ON o.agent_id = r.agent_id AND NOT EXISTS (SELECT FROM operator_end e WHERE e.operator_id = o.id)
      GROUP BY r.agent_id
    ) AS n
    WHERE n.agent_id = h.agent_id AND (h.operator, h.house) IS DISTINCT FROM (n.kind, n.house)`)
  return rowCount
}
