import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'
import { RATED_MIN } from '#facts/rules/rate-days.ts'
import type { MandateDay } from '../rules/agent-days.ts'
import type { AgentInput, MandateInput } from '../rules/inputs.ts'

/** Agents that have a row: those that accept mandates, and those that ever had a vault. */
const LISTED = sql.fragment`
  (a.accepts OR EXISTS (SELECT FROM fact_mandate m WHERE m.agent_id = a.agent_id AND m.opened_at IS NOT NULL))`

const agentIdLateRow = z.object({ agent_id: z.number(), late: z.boolean() })

/**
 * Returns the agents whose row has to be computed: their facts or the UTC day are others than those of the row, or the
 * row is not a good one. Those whose facts have been marked since before `lateSince`, or could not be read, are late: what
 * is stored of them is known to be old, or missing.
 */
export async function agentsToCompute(
  db: Db,
  { day, lateSince }: { readonly day: string; readonly lateSince: Date },
): Promise<{ readonly due: readonly number[]; readonly late: readonly number[] }> {
  const rows = await db.any(sql.type(agentIdLateRow)`
    WITH late AS (SELECT DISTINCT agent_id FROM fact_dirty WHERE since < ${lateSince.toISOString()} OR tries > 0)
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

/** Deletes the rows of agents that have none any more. Returns their number. */
export async function forgetUnlisted(db: Db): Promise<number> {
  const { rowCount } = await db.query(sql.unsafe`
    DELETE FROM hall_record h WHERE NOT EXISTS (SELECT FROM fact_agent a WHERE a.agent_id = h.agent_id AND ${LISTED})`)
  return rowCount
}

/** Facts of one agent with their version. */
export interface VersionedInput {
  readonly version: number
  readonly agent: AgentInput
}

/** Whole numbers of four or eight bytes each, big-endian, as `int4send` and `int8send` write them. */
const packed = z.instanceof(Buffer).nullable()
const NONE = Buffer.alloc(0)
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
  stop_line: z.string(),
  closing: z.tuple([z.number(), z.number()]).nullable(),
  opened: z.number().nullable(),
  ended: z.number().nullable(),
  record_seq: z.number(),
  record_hash: z.string(),
  trades_total: z.number(),
  marked: z.number().nullable(),
  days: packed,
  peaks: packed,
  gains: packed,
  starts: byDay(z.number()),
  acts: z.array(z.tuple([z.number(), z.number(), z.number()])).nullable(),
  trades: z.array(z.coerce.number()).nullable(),
  refusals: byDay(z.record(z.string(), z.number())),
  blocks: byDay(z.array(z.number())),
})
type InputRow = z.output<typeof inputRow>

/**
 * Returns the facts of agents with the version at which they were read. One statement, so that facts and version belong
 * together. A mandate is one row with its rated days in the order of the primary key: five million days are then
 * 50,000 rows. What is the same for most days is not sent: a start that equals the peak, days without violations. Numbers are
 * sent as bytes, since writing and reading them as text would be most of the work.
 */
export async function readInputs(
  db: Db,
  agentIds: readonly number[],
  today: number,
): Promise<readonly VersionedInput[]> {
  const day = sql.fragment`DATE '1970-01-01'`
  const tradesSince = (days: number) => sql.fragment`sum(trades) FILTER (WHERE day >= ${day} + ${today - days}::int)`
  const rows = await db.any(sql.type(inputRow)`
    SELECT a.agent_id, c.version, a.name, a.accepts, a.policy_changes,
      (SELECT count(*) FROM fact_agent s WHERE s.owner_id = a.owner_id AND s.agent_id <> a.agent_id) AS siblings,
      m.public_id, coalesce(m.owner_id, 0) AS owner_id,
      coalesce(m.owner_id = a.owner_id, false) OR coalesce(lower(o.wallet) = lower(a.wallet), false) AS is_own,
      coalesce(m.state, 'signed') AS state, coalesce(m.public_proof, false) AS public_proof, m.chain_id, m.vault,
      coalesce(m.hl_leg, false) AS hl_leg, coalesce(m.principal_usdc, 0)::text AS principal,
      coalesce(m.stop_line_usdc, 0)::text AS stop_line,
      CASE WHEN m.stop_line_usdc > 0 THEN (SELECT json_build_array(f.day - ${day}, f.worth_usdc) FROM fact_day f
        WHERE f.mandate_no = m.no AND f.worth_usdc >= ${String(RATED_MIN)}::bigint AND f.day < ${day} + ${today}::int
        ORDER BY f.day DESC LIMIT 1) END AS closing,
      (m.opened_at AT TIME ZONE 'UTC')::date - ${day} AS opened,
      (m.ended_at AT TIME ZONE 'UTC')::date - ${day} AS ended,
      coalesce(m.record_seq, 0) AS record_seq, coalesce(m.record_hash, '') AS record_hash,
      coalesce(m.trades_total, 0) AS trades_total, d.*, r.*,
      (SELECT f.day - ${day} FROM fact_day f WHERE f.mandate_no = m.no AND f.worth_usdc IS NOT NULL
        ORDER BY f.day DESC LIMIT 1) AS marked,
      (SELECT json_agg(json_build_array(f.day - ${day}, f.refusals)) FROM fact_day f
        WHERE f.mandate_no = m.no AND f.refusals IS NOT NULL) AS refusals,
      CASE WHEN m.public_proof THEN (SELECT json_agg(json_build_array(f.day - ${day}, f.blocks) ORDER BY f.day)
        FROM fact_day f WHERE f.mandate_no = m.no AND f.blocks IS NOT NULL) END AS blocks
    FROM fact_agent a
    JOIN fact_change c USING (agent_id)
    LEFT JOIN fact_mandate m ON m.agent_id = a.agent_id AND m.opened_at IS NOT NULL
    LEFT JOIN fact_owner o ON o.owner_id = m.owner_id
    LEFT JOIN LATERAL (
      SELECT string_agg(int4send(day - ${day}), '') AS days, string_agg(int8send(peak_usdc), '') AS peaks,
        string_agg(int8send(gain_usdc), '') AS gains,
        json_agg(json_build_array(day - ${day}, start_usdc)) FILTER (WHERE start_usdc <> peak_usdc) AS starts
      FROM (SELECT day, start_usdc, peak_usdc, gain_usdc FROM fact_day
        WHERE mandate_no = m.no AND peak_usdc > 0 ORDER BY day) AS rated
    ) AS d ON true
    LEFT JOIN LATERAL (
      SELECT json_build_array(${tradesSince(7)}, ${tradesSince(30)}, ${tradesSince(90)}, sum(trades)) AS trades,
        json_agg(json_build_array(day - ${day}, violations, foreign_fills))
          FILTER (WHERE violations > 0 OR foreign_fills > 0) AS acts
      FROM fact_day WHERE mandate_no = m.no
    ) AS r ON true
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
  stopLine: Number(row.stop_line),
  closing: row.closing === null ? null : { day: row.closing[0], worth: row.closing[1] },
  opened: row.opened,
  ended: row.ended,
  record: { seq: row.record_seq, hash: row.record_hash },
  tradesTotal: row.trades_total,
  marked: row.marked,
  days: daysOf(row),
  trades: (row.trades ?? [0, 0, 0, 0]) as [number, number, number, number],
  acts: (row.acts ?? []).map(([day, violations, foreign]) => ({ day, violations, foreign })),
  refusals: row.refusals ?? [],
  blocks: row.blocks ?? [],
})

/** Reads the packed days. Nothing is made of them on the way: a pass reads millions. */
function daysOf({ days, peaks, gains, starts }: InputRow): readonly MandateDay[] {
  const differing = starts === null ? null : new Map(starts)
  const found: MandateDay[] = []
  for (let at = 0; at < (days?.length ?? 0) / 4; at += 1) {
    const day = (days ?? NONE).readInt32BE(at * 4)
    const peak = int8At(peaks ?? NONE, at)
    found.push({ day, peak, gain: int8At(gains ?? NONE, at), start: differing?.get(day) ?? peak })
  }
  return found
}

const int8At = (data: Buffer, at: number): number =>
  data.readInt32BE(at * 8) * 4_294_967_296 + data.readUInt32BE(at * 8 + 4)
