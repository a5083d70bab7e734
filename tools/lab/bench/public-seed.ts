import type pg from 'pg'

/** Agents to add, with mandates and rated days each. */
export interface Crowd {
  readonly from: number
  readonly upTo: number
  readonly mandatesEach: number
  readonly days: number
}

const FIRST_AGENT = 1_000_000
const OWNERS = 500

/** Says that all facts have been asked for, so that gallery keeps what is seeded. */
export async function openFacts(admin: pg.Client, method: string): Promise<void> {
  await admin.query('SET search_path TO gallery')
  await admin.query(
    `INSERT INTO fact_rebuild (method, agents_listed, mandates_listed, began_at, ended_at) VALUES ($1, true, true, now(), now())`,
    [method],
  )
  await admin.query(
    `INSERT INTO fact_owner (owner_id, wallet) SELECT n, '0x' || left(encode(sha256(n::text::bytea), 'hex'), 40)
     FROM generate_series(1, $1::int) AS n`,
    [OWNERS],
  )
}

/** Adds agents of owners in turn, whose mandates won or lost up to one per cent each day. */
export async function seedCrowd(admin: pg.Client, { from, upTo, mandatesEach, days }: Crowd): Promise<void> {
  await admin.query('SET search_path TO gallery')
  const range = [FIRST_AGENT + from, FIRST_AGENT + upTo - 1]
  await admin.query(
    `INSERT INTO fact_agent (agent_id, name, registered_at, wallet, owner_id, accepts, policy_changes)
     SELECT n, 'Agent ' || n, now() - interval '1 year', '0x' || left(encode(sha256(('a' || n)::bytea), 'hex'), 40), 10000000 + n, true, '[]'
     FROM generate_series($1::int, $2::int) AS n`,
    range,
  )
  await admin.query(
    `INSERT INTO fact_change (agent_id, version) SELECT n, nextval('fact_version') FROM generate_series($1::int, $2::int) AS n`,
    range,
  )
  await admin.query(
    `INSERT INTO fact_mandate (public_id, agent_id, owner_id, state, public_proof, hl_leg, principal_usdc, opened_at, record_seq,
       record_hash, trades_total)
     SELECT 'mdt_' || lpad(to_hex(n::bigint * 100 + m), 32, '0'), n, 1 + (n + m) % ${OWNERS}, 'working', false, false, 500000000,
       now() - $4::int * interval '1 day', 10, encode(sha256(n::text::bytea), 'hex'), $4
     FROM generate_series($1::int, $2::int) AS n, generate_series(1, $3::int) AS m`,
    [...range, mandatesEach, days],
  )
  await admin.query(
    `INSERT INTO fact_day (mandate_no, day, start_usdc, peak_usdc, gain_usdc, worth_usdc, paid_in_usdc, paid_out_usdc, trades,
       violations, foreign_fills)
     SELECT m.no, current_date - d, 500000000, 500000000, ((random() - 0.5) * 10000000)::bigint, 500000000, 500000000, 0, 1, 0, 0
     FROM fact_mandate m, generate_series(1, $3::int) AS d WHERE m.agent_id BETWEEN $1 AND $2`,
    [...range, days],
  )
  await admin.query('VACUUM (ANALYZE) fact_agent, fact_change, fact_mandate, fact_day')
  // What was seeded is not written out while something is measured.
  await admin.query('CHECKPOINT')
}

/** Lets the next pass compute every agent anew. */
export async function changeEverything(admin: pg.Client): Promise<void> {
  await admin.query(`UPDATE gallery.fact_change SET version = nextval('gallery.fact_version')`)
}
