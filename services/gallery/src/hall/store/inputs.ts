import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'
import type { AgentInput, MandateInput } from '../rules/inputs.ts'

/** Agents that have a row: those that accept mandates, and those that ever had a vault. */
const LISTED = sql.fragment`
  (a.accepts OR EXISTS (SELECT FROM fact_mandate m WHERE m.agent_id = a.agent_id AND m.opened_at IS NOT NULL))`

/**
 * Returns the agents whose row has to be computed: their facts or the UTC day are others than those of the row, or the
 * row is not a good one. Those whose facts have been marked since before `lateSince` are late: what is stored of them is
 * known to be old.
 */
export async function agentsToCompute(
  db: Db,
  { day, lateSince }: { readonly day: string; readonly lateSince: Date },
): Promise<{ readonly due: readonly number[]; readonly late: readonly number[] }> {
  const rows = await db.any(sql.type(z.object({ agent_id: z.number(), late: z.boolean() }))`
    WITH late AS (SELECT DISTINCT agent_id FROM fact_dirty WHERE since < ${lateSince.toISOString()})
    SELECT a.agent_id, l.agent_id IS NOT NULL AS late
    FROM fact_agent a JOIN fact_change c USING (agent_id)
    LEFT JOIN hall_record h USING (agent_id) LEFT JOIN late l USING (agent_id)
    WHERE ${LISTED} AND (l.agent_id IS NOT NULL OR h.agent_id IS NULL OR h.facts_version <> c.version
      OR h.day <> ${day}::date OR h.standing <> 'good')
    ORDER BY a.agent_id`)
  return {
    due: rows.flatMap(({ agent_id, late }) => (late ? [] : agent_id)),
    late: rows.flatMap(({ agent_id, late }) => (late ? agent_id : [])),
  }
}

/** Deletes the rows of agents that have none any more. */
export async function forgetUnlisted(db: Db): Promise<void> {
  await db.query(sql.unsafe`
    DELETE FROM hall_record h WHERE NOT EXISTS (SELECT FROM fact_agent a WHERE a.agent_id = h.agent_id AND ${LISTED})`)
}

/** Facts of one agent with their version. */
export interface VersionedInput {
  readonly version: number
  readonly agent: AgentInput
}

/** Integers of an array as Postgres writes it: {1,2,NULL}. */
const column = z
  .string()
  .nullable()
  .transform((text) =>
    text === null ? [] : (JSON.parse(`[${text.slice(1, -1).replaceAll('NULL', 'null')}]`) as number[]),
  )
const nullableColumn = column as z.ZodType<(number | null)[], string | null>
const byDay = <T extends z.ZodType>(value: T) => z.array(z.tuple([z.number(), value])).nullable()

const inputRow = z.object({
  agent_id: z.number(),
  version: z.number(),
  name: z.string(),
  accepts: z.boolean(),
  policy_changes: z.unknown(),
  siblings: z.number(),
  public_id: z.string().nullable(),
  owner_id: z.number(),
  is_own: z.boolean(),
  state: z.enum(['signed', 'working', 'paused', 'stopped', 'ended', 'closed']),
  public_proof: z.boolean(),
  chain_id: z.number().nullable(),
  vault: z.string().nullable(),
  hl_leg: z.boolean(),
  principal: z.string(),
  opened: z.number().nullable(),
  ended: z.number().nullable(),
  record_seq: z.number(),
  record_hash: z.string(),
  trades_total: z.number(),
  marked: z.number().nullable(),
  days: column,
  starts: nullableColumn,
  peaks: column,
  gains: column,
  trades: column,
  violations: column,
  foreign_fills: column,
  refusals: byDay(z.record(z.string(), z.number())),
  blocks: byDay(z.array(z.number())),
})
type InputRow = z.output<typeof inputRow>

/**
 * Returns the facts of agents with the version at which they were read. One statement, so that facts and version belong
 * together. A mandate is one row with its days as arrays in the order of the primary key: five million days are then 50,000
 * rows. Arrays are cast to text, which JSON.parse reads ten times as fast as the driver reads arrays.
 */
export async function readInputs(db: Db, agentIds: readonly number[]): Promise<readonly VersionedInput[]> {
  const rows = await db.any(sql.type(inputRow)`
    SELECT a.agent_id, c.version, a.name, a.accepts, a.policy_changes,
      (SELECT count(*) FROM fact_agent s WHERE s.owner_id = a.owner_id AND s.agent_id <> a.agent_id) AS siblings,
      m.public_id, coalesce(m.owner_id, 0) AS owner_id,
      coalesce(m.owner_id = a.owner_id, false) OR coalesce(lower(o.wallet) = lower(a.wallet), false) AS is_own,
      coalesce(m.state, 'signed') AS state, coalesce(m.public_proof, false) AS public_proof, m.chain_id, m.vault,
      coalesce(m.hl_leg, false) AS hl_leg, coalesce(m.principal_usdc, 0)::text AS principal,
      (m.opened_at AT TIME ZONE 'UTC')::date - DATE '1970-01-01' AS opened,
      (m.ended_at AT TIME ZONE 'UTC')::date - DATE '1970-01-01' AS ended,
      coalesce(m.record_seq, 0) AS record_seq, coalesce(m.record_hash, '') AS record_hash,
      coalesce(m.trades_total, 0) AS trades_total, d.*
    FROM fact_agent a
    JOIN fact_change c USING (agent_id)
    LEFT JOIN fact_mandate m ON m.agent_id = a.agent_id AND m.opened_at IS NOT NULL
    LEFT JOIN fact_owner o ON o.owner_id = m.owner_id
    LEFT JOIN LATERAL (
      SELECT max(day) FILTER (WHERE worth_usdc IS NOT NULL) - DATE '1970-01-01' AS marked,
        array_agg(day - DATE '1970-01-01')::text AS days, array_agg(nullif(start_usdc, peak_usdc))::text AS starts,
        array_agg(peak_usdc)::text AS peaks, array_agg(gain_usdc)::text AS gains, array_agg(trades)::text AS trades,
        array_agg(violations)::text AS violations, array_agg(foreign_fills)::text AS foreign_fills,
        json_agg(json_build_array(day - DATE '1970-01-01', refusals)) FILTER (WHERE refusals IS NOT NULL) AS refusals,
        json_agg(json_build_array(day - DATE '1970-01-01', blocks)) FILTER (WHERE blocks IS NOT NULL) AS blocks
      FROM (SELECT * FROM fact_day WHERE mandate_no = m.no ORDER BY day) AS ordered
    ) AS d ON true
    WHERE a.agent_id = ANY(${sql.array([...agentIds], 'int8')})
    ORDER BY a.agent_id, m.opened_at, m.public_id`)
  const byAgent = new Map<number, InputRow[]>()
  for (const row of rows) {
    const others = byAgent.get(row.agent_id)
    if (others === undefined) byAgent.set(row.agent_id, [row])
    else others.push(row)
  }
  return [...byAgent.values()].flatMap((found) => inputOf(found) ?? [])
}

function inputOf(rows: readonly InputRow[]): VersionedInput | null {
  const [first] = rows
  if (first === undefined) return null
  return {
    version: first.version,
    agent: {
      agentId: first.agent_id,
      name: first.name,
      accepting: first.accepts,
      siblings: first.siblings,
      ownOwners: new Set(rows.filter(({ is_own }) => is_own).map(({ owner_id }) => owner_id)),
      policyChanges: first.policy_changes as AgentInput['policyChanges'],
      mandates: rows.flatMap((row) => (row.public_id === null ? [] : mandateOf(row, row.public_id))),
    },
  }
}

const mandateOf = (row: InputRow, publicId: string): MandateInput => ({
  publicId,
  ownerId: row.owner_id,
  state: row.state,
  proof:
    row.public_proof && row.chain_id !== null && row.vault !== null
      ? { chainId: row.chain_id, vault: row.vault }
      : null,
  hlLeg: row.hl_leg,
  principal: Number(row.principal),
  opened: row.opened,
  ended: row.ended,
  record: { seq: row.record_seq, hash: row.record_hash },
  tradesTotal: row.trades_total,
  marked: row.marked,
  days: {
    day: row.days,
    start: row.starts,
    peak: row.peaks,
    gain: row.gains,
    trades: row.trades,
    violations: row.violations,
    foreign: row.foreign_fills,
  },
  refusals: row.refusals ?? [],
  blocks: row.blocks ?? [],
})
