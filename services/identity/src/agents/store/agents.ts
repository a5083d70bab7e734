import type { Db, Tx } from '@svc/postgres'
import { sql } from '@svc/postgres'
import { agentPolicy } from '@svc/contracts/identity/policy'
import { z } from 'zod'
import type { Wallet } from '#wallets/rules/wallet-address.ts'

const wallet = z.custom<Wallet>((value) => typeof value === 'string')
const agentRow = z.object({
  agent_id: z.number(),
  name: z.string(),
  wallet,
  registered_at: z.string(),
  owner_id: z.number().nullable(),
  owner_wallet: wallet.nullable(),
  paired_at: z.string().nullable(),
  owner_may_spend: z.boolean(),
  policy: agentPolicy.nullable(),
  policy_updated_at: z.string().nullable(),
  last_seen_at: z.string().nullable(),
  channel: z.enum(['http', 'mcp']).nullable(),
})
export type AgentRow = z.output<typeof agentRow>

/** Returns agents with their owner, policy and activity, ordered by id; omits ids that are not agents. */
export function findAgents(db: Db, agentIds: readonly number[]): Promise<readonly AgentRow[]> {
  return db.any(sql.prepared('find_agents', agentRow)`
    SELECT a.account_id AS agent_id, a.name, a.wallet, a.created_at AS registered_at, p.owner_id, o.wallet AS owner_wallet,
      p.paired_at, coalesce(p.owner_may_spend, false) AS owner_may_spend, c.policy, c.updated_at AS policy_updated_at, s.last_seen_at, s.channel
    FROM accounts AS a LEFT JOIN pairings AS p ON p.agent_id = a.account_id LEFT JOIN accounts AS o ON o.account_id = p.owner_id
      LEFT JOIN policies AS c ON c.agent_id = a.account_id LEFT JOIN agent_activity AS s ON s.account_id = a.account_id
    WHERE a.account_id = ANY(${sql.array([...agentIds], 'int8')}) AND a.kind = 'agent' ORDER BY a.account_id`)
}

const agentNameRow = agentRow.pick({ agent_id: true, wallet: true, name: true })

/** Returns the agents of wallets in lower case; omits wallets without an agent. */
export function agentsOfWallets(db: Db, wallets: readonly string[]) {
  return db.any(sql.type(agentNameRow)`
    SELECT account_id AS agent_id, wallet, name FROM accounts
    WHERE kind = 'agent' AND wallet = ANY(${sql.array([...wallets], 'text')}) ORDER BY account_id LIMIT 1000`)
}

const agentIdRow = z.object({ agent_id: z.number() })

/** Returns ids of the agents paired with an owner, at most `max`. */
export async function pairedAgents(db: Db, ownerId: number, max: number): Promise<readonly number[]> {
  const rows = await db.any(sql.type(agentIdRow)`
    SELECT agent_id FROM pairings WHERE owner_id = ${ownerId} ORDER BY agent_id LIMIT ${max}`)
  return rows.map((row) => row.agent_id)
}

/** Stores whether the owner of a paired agent may spend its Cherry. */
export async function setOwnerMaySpend(tx: Tx, agentId: number, allowed: boolean): Promise<void> {
  await tx.query(sql.unsafe`UPDATE pairings SET owner_may_spend = ${allowed} WHERE agent_id = ${agentId}`)
}

export async function insertPairing(tx: Tx, agentId: number, ownerId: number, now: Date): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO pairings (agent_id, owner_id, paired_at) VALUES (${agentId}, ${ownerId}, ${now.toISOString()})`)
}

export interface Seen {
  readonly account_id: number
  readonly channel: 'http' | 'mcp'
  readonly at: string
}

/**
 * Stores when agents were seen, at most once in 30 seconds for each, and never a time in the future. Returns the number
 * of agents stored. One statement for all agents; it locks the rows by id, so that two gateways cannot deadlock.
 */
export async function noteSeen(db: Db, seen: readonly Seen[], now: Date): Promise<number> {
  const noted = await db.query(sql.unsafe`
    INSERT INTO agent_activity AS known (account_id, last_seen_at, channel)
    SELECT DISTINCT ON (account_id) account_id, least(seen.at, ${now.toISOString()}::timestamptz), seen.channel
    FROM unnest(${sql.array(
      seen.map((one) => one.account_id),
      'int8',
    )}, ${sql.array(
      seen.map((one) => one.at),
      'timestamptz',
    )}, ${sql.array(
      seen.map((one) => one.channel),
      'text',
    )}) AS seen (account_id, at, channel) JOIN accounts USING (account_id)
    WHERE accounts.kind = 'agent' ORDER BY account_id, seen.at DESC
    ON CONFLICT (account_id) DO UPDATE SET last_seen_at = excluded.last_seen_at, channel = excluded.channel
      WHERE known.last_seen_at <= excluded.last_seen_at - interval '30 seconds'`)
  return noted.rowCount
}
