import type { HallAgent } from '@svc/contracts/identity/hall-agents'
import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

/**
 * Stores agents and moves their version, and that of every agent with the same paired owner, before or now: how many
 * siblings an agent has depends on them.
 */
export async function storeAgents(tx: Tx, agents: readonly HallAgent[]): Promise<void> {
  if (agents.length === 0) return
  // The data-modifying parts see the table as it was before, so both the former and the new owner are found.
  await tx.query(sql.unsafe`
    WITH given AS (
      SELECT * FROM json_to_recordset(${JSON.stringify(agents)}::json) AS r (agent_id bigint, name text,
        registered_at timestamptz, wallet text, owner_id bigint, accepts_mandates boolean, policy_changes jsonb)
    ), stored AS (
      INSERT INTO fact_agent (agent_id, name, registered_at, wallet, owner_id, accepts, policy_changes)
      SELECT agent_id, name, registered_at, wallet, owner_id, accepts_mandates, policy_changes FROM given ORDER BY agent_id
      ON CONFLICT (agent_id) DO UPDATE SET name = excluded.name, registered_at = excluded.registered_at,
        wallet = excluded.wallet, owner_id = excluded.owner_id, accepts = excluded.accepts,
        policy_changes = excluded.policy_changes
    ), owners AS (
      SELECT owner_id FROM given WHERE owner_id IS NOT NULL
      UNION SELECT owner_id FROM fact_agent WHERE agent_id IN (SELECT agent_id FROM given) AND owner_id IS NOT NULL
    )
    INSERT INTO fact_change (agent_id, version)
    SELECT agent_id, nextval('fact_version') FROM (
      SELECT agent_id FROM given UNION SELECT agent_id FROM fact_agent WHERE owner_id IN (SELECT owner_id FROM owners)
    ) AS touched ORDER BY agent_id
    ON CONFLICT (agent_id) DO UPDATE SET version = excluded.version`)
}

/** Deletes agents that identity does not know. */
export async function forgetAgents(tx: Tx, agentIds: readonly number[]): Promise<void> {
  if (agentIds.length === 0) return
  await tx.query(sql.unsafe`
    WITH gone AS (DELETE FROM fact_agent WHERE agent_id = ANY(${sql.array([...agentIds], 'int8')}) RETURNING agent_id)
    INSERT INTO fact_change (agent_id, version) SELECT agent_id, nextval('fact_version') FROM gone ORDER BY agent_id
    ON CONFLICT (agent_id) DO UPDATE SET version = excluded.version`)
}

const idRow = z.object({ id: z.number() })

/** Returns those of the agents of which nothing is stored. */
export function unknownAgents(db: Db, agentIds: readonly number[]): Promise<readonly number[]> {
  return db.anyFirst(sql.type(idRow)`
    SELECT id FROM unnest(${sql.array([...agentIds], 'int8')}) AS id
    WHERE NOT EXISTS (SELECT FROM fact_agent WHERE agent_id = id)`)
}

/** Returns those of the owners of whom nothing is stored. */
export function unknownOwners(db: Db, ownerIds: readonly number[]): Promise<readonly number[]> {
  return db.anyFirst(sql.type(idRow)`
    SELECT DISTINCT id FROM unnest(${sql.array([...ownerIds], 'int8')}) AS id
    WHERE NOT EXISTS (SELECT FROM fact_owner WHERE owner_id = id)`)
}

/** Stores the wallets of owners, which never change. */
export async function storeOwners(
  tx: Tx,
  owners: readonly { readonly owner_id: number; readonly wallet: string }[],
): Promise<void> {
  const rows = owners.map(({ owner_id, wallet }) => [owner_id, wallet])
  await tx.query(sql.unsafe`
    INSERT INTO fact_owner (owner_id, wallet) SELECT * FROM ${sql.unnest(rows, ['int8', 'text'])} AS o (owner_id, wallet)
    ORDER BY owner_id ON CONFLICT DO NOTHING`)
}
