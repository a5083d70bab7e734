import { mandateState } from '@svc/contracts/mandates/fields'
import { sql, units, type Db } from '@svc/postgres'
import { z } from 'zod'

const headRow = z.object({
  id: z.number(),
  public_id: z.string(),
  agent_id: z.number(),
  owner_id: z.number(),
  state: mandateState,
  public_proof: z.boolean(),
  hl_leg: z.boolean(),
  chain_id: z.number().nullable(),
  vault: z.string().nullable(),
  principal: units,
  stop_line: units,
  opened_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  record_seq: z.number(),
  record_hash: z.string(),
  trades_total: z.number(),
})
/** A signed mandate without its days. */
export type HallHead = z.output<typeof headRow>

/**
 * Returns signed mandates in the order of their ids; leaves out unknown ids and drafts. A mandate ended at its first stop, in
 * the record or on the chain, or at its end, whichever came first: closing it later adds no days.
 */
export function hallHeads(db: Db, publicIds: readonly string[]): Promise<readonly HallHead[]> {
  return db.any(sql.type(headRow)`
    SELECT m.id, m.public_id, m.agent_id, m.owner_id, m.state, m.public_proof, m.hl_leg, v.chain_id, v.address AS vault,
      coalesce(v.books->>'principal', '0') AS principal, m.stop_line::text AS stop_line,
      coalesce(created.at, v.attached_at) AS opened_at,
      CASE WHEN m.state IN ('stopped', 'ended', 'closed') THEN least(m.ends_at, m.stopped_in_record_at,
        CASE WHEN (v.books->>'stoppedAt')::bigint > 0 THEN to_timestamp((v.books->>'stoppedAt')::bigint) END) END AS ended_at,
      m.record_seq, m.record_hash,
      (SELECT count(*) FROM execution WHERE mandate_id = m.id AND canonical)
        + (SELECT count(*) FROM leg_reservation WHERE mandate_id = m.id AND outcome = 'filled' AND ordered_by = 'agent')
        AS trades_total
    FROM unnest(${sql.array([...publicIds], 'text')}) WITH ORDINALITY AS asked (public_id, place)
    JOIN mandate m USING (public_id) LEFT JOIN vault v ON v.mandate_id = m.id AND v.canonical
    LEFT JOIN LATERAL (
      SELECT max(block_time) AS at FROM chain_fact f
      WHERE f.chain_id = v.chain_id AND f.vault = v.address AND f.name = 'VaultCreated' AND f.canonical) AS created ON true
    WHERE m.agent_id IS NOT NULL AND m.owner_id IS NOT NULL AND m.state <> 'draft'
    ORDER BY place`)
}

const listedRow = z.object({ public_id: z.string(), agent_id: z.number() })

/** Lists signed mandates by their public ids, from the one after `after`. */
export function signedMandates(db: Db, after: string, limit: number): Promise<readonly z.output<typeof listedRow>[]> {
  return db.any(sql.type(listedRow)`
    SELECT public_id, agent_id FROM mandate
    WHERE public_id > ${after} AND state <> 'draft' AND agent_id IS NOT NULL AND owner_id IS NOT NULL
    ORDER BY public_id LIMIT ${limit}`)
}
