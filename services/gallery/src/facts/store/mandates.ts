import type { HallMandate } from '@svc/contracts/mandates/facts'
import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { Point, RatedDay } from '../rules/rate-days.ts'
import { baseUnitsOf } from '../rules/usdc.ts'

const closingRow = z.object({ public_id: z.string(), worth: z.string(), paid_in: z.string(), paid_out: z.string() })

/** Returns the last point of each mandate before a day of its own; a mandate without one is missing. */
export async function closingsBefore(
  db: Db,
  items: readonly { readonly public_id: string; readonly from_day: string | null }[],
): Promise<ReadonlyMap<string, Point>> {
  const asked = items
    .filter(({ from_day }) => from_day !== null)
    .map(({ public_id, from_day }) => [public_id, from_day])
  const rows = await db.any(sql.type(closingRow)`
    SELECT asked.public_id, d.worth_usdc::text AS worth, d.paid_in_usdc::text AS paid_in, d.paid_out_usdc::text AS paid_out
    FROM ${sql.unnest(asked, ['text', 'date'])} AS asked (public_id, from_day)
    JOIN fact_mandate m USING (public_id)
    CROSS JOIN LATERAL (
      SELECT worth_usdc, paid_in_usdc, paid_out_usdc FROM fact_day
      WHERE mandate_no = m.no AND day < asked.from_day AND worth_usdc IS NOT NULL ORDER BY day DESC LIMIT 1
    ) AS d`)
  return new Map(
    rows.map(({ public_id, worth, paid_in, paid_out }) => [
      public_id,
      { worth: BigInt(worth), paidIn: BigInt(paid_in), paidOut: BigInt(paid_out) },
    ]),
  )
}

/** The days of a mandate from one on, with their rating. */
export interface MandateFacts {
  readonly mandate: HallMandate
  /** First day that is replaced; null for all. */
  readonly fromDay: string | null
  readonly rated: readonly RatedDay[]
}

/** Stores mandates and replaces their days, and moves the version of their agents. */
export async function storeMandates(tx: Tx, facts: readonly MandateFacts[]): Promise<void> {
  if (facts.length === 0) return
  const rows = facts.map(({ mandate: m }) => ({
    ...m,
    principal: String(baseUnitsOf(m.principal_usdc)),
    stop_line: String(baseUnitsOf(m.stop_line_usdc)),
    record_seq: m.record.seq,
    record_hash: m.record.hash,
    days: undefined,
  }))
  // One statement for a page of mandates; the agent before is told too, for a draft that was given to another one.
  await tx.query(sql.unsafe`
    WITH given AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r (public_id text, agent_id bigint, owner_id bigint,
        state text, public_proof boolean, chain_id bigint, vault text, hl_leg boolean, principal bigint,
        stop_line bigint, opened_at timestamptz, ended_at timestamptz, record_seq bigint, record_hash text, trades_total bigint)
    ), stored AS (
      INSERT INTO fact_mandate AS m (public_id, agent_id, owner_id, state, public_proof, chain_id, vault, hl_leg,
        principal_usdc, stop_line_usdc, opened_at, ended_at, record_seq, record_hash, trades_total)
      SELECT public_id, agent_id, owner_id, state, public_proof, chain_id, vault, hl_leg, principal, stop_line, opened_at,
        ended_at, record_seq, record_hash, trades_total FROM given ORDER BY public_id
      ON CONFLICT (public_id) DO UPDATE SET agent_id = excluded.agent_id, owner_id = excluded.owner_id,
        state = excluded.state, public_proof = excluded.public_proof, chain_id = excluded.chain_id, vault = excluded.vault,
        hl_leg = excluded.hl_leg, principal_usdc = excluded.principal_usdc,
        stop_line_usdc = excluded.stop_line_usdc, opened_at = excluded.opened_at,
        ended_at = excluded.ended_at, record_seq = excluded.record_seq, record_hash = excluded.record_hash,
        trades_total = excluded.trades_total
    )
    INSERT INTO fact_change (agent_id, version)
    SELECT agent_id, nextval('fact_version') FROM (
      SELECT agent_id FROM given UNION SELECT agent_id FROM fact_mandate WHERE public_id IN (SELECT public_id FROM given)
    ) AS touched ORDER BY agent_id
    ON CONFLICT (agent_id) DO UPDATE SET version = excluded.version`)
  await replaceDays(tx, facts)
}

const intOrNull = (value: bigint | undefined): string | null => (value === undefined ? null : String(value))

async function replaceDays(tx: Tx, facts: readonly MandateFacts[]): Promise<void> {
  const from = facts.map(({ mandate, fromDay }) => [mandate.public_id, fromDay ?? '0001-01-01'])
  await tx.query(sql.unsafe`
    DELETE FROM fact_day d USING ${sql.unnest(from, ['text', 'date'])} AS replaced (public_id, from_day)
    JOIN fact_mandate m USING (public_id)
    WHERE d.mandate_no = m.no AND d.day >= replaced.from_day`)
  const days = facts.flatMap(({ mandate, rated }) =>
    mandate.days.map((one, at) => {
      const { start = 0n, peak = 0n, gain = 0n, closing = null } = rated[at] ?? {}
      const total = Object.keys(one.refusals).length
      return [
        mandate.public_id,
        one.day,
        String(start),
        String(peak),
        String(gain),
        intOrNull(closing?.worth),
        intOrNull(closing?.paidIn),
        intOrNull(closing?.paidOut),
        one.trades,
        one.violations,
        one.foreign_fills,
        one.refusals_on_chain,
        total === 0 ? null : JSON.stringify(one.refusals),
        mandate.public_proof ? JSON.stringify(one.points.map(({ block_number }) => block_number)) : null,
      ]
    }),
  )
  await tx.query(sql.unsafe`
    INSERT INTO fact_day (mandate_no, day, start_usdc, peak_usdc, gain_usdc, worth_usdc, paid_in_usdc, paid_out_usdc, trades,
      violations, foreign_fills, refused_on_chain, refusals, blocks)
    SELECT m.no, g.day, g.start_usdc, g.peak_usdc, g.gain_usdc, g.worth, g.paid_in, g.paid_out, g.trades, g.violations,
      g.foreign_fills, g.refused_on_chain, g.refusals::jsonb, (SELECT array_agg(b::bigint) FROM jsonb_array_elements_text(g.blocks::jsonb) AS b)
    FROM ${sql.unnest(days, ['text', 'date', 'int8', 'int8', 'int8', 'int8', 'int8', 'int8', 'int4', 'int4', 'int4', 'int4', 'text', 'text'])}
      AS g (public_id, day, start_usdc, peak_usdc, gain_usdc, worth, paid_in, paid_out, trades, violations, foreign_fills,
        refused_on_chain, refusals, blocks)
    JOIN fact_mandate m USING (public_id)
    ORDER BY m.no, g.day`)
}

/** Deletes mandates that their service does not know, with their days, and moves the version of their agents. */
export async function forgetMandates(tx: Tx, publicIds: readonly string[]): Promise<void> {
  if (publicIds.length === 0) return
  await tx.query(sql.unsafe`
    WITH gone AS (
      DELETE FROM fact_mandate WHERE public_id = ANY(${sql.array([...publicIds], 'text')}) RETURNING no, agent_id
    ), days AS (
      DELETE FROM fact_day WHERE mandate_no IN (SELECT no FROM gone)
    )
    INSERT INTO fact_change (agent_id, version)
    SELECT agent_id, nextval('fact_version') FROM (SELECT DISTINCT agent_id FROM gone) AS touched ORDER BY agent_id
    ON CONFLICT (agent_id) DO UPDATE SET version = excluded.version`)
}
