import { agentPolicy } from '@svc/contracts/identity/policy'
import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'
import type { Wallet } from '#wallets/rules/wallet-address.ts'

const wallet = z.custom<Wallet>((value) => typeof value === 'string')
const change = z.object({
  changed_at: z.string().transform((text) => new Date(text).toISOString()),
  direction: z.enum(['tighten', 'widen', 'mixed']),
  before: agentPolicy,
  after: agentPolicy,
})
const hallAgentRow = z.object({
  agent_id: z.number(),
  name: z.string(),
  registered_at: z.string(),
  wallet,
  owner_id: z.number().nullable(),
  accepts_mandates: z.boolean(),
  changes: z.array(change),
})

/** Returns agents with their newest changes of policy, newest first; omits ids that are not agents. */
export function hallAgentsOf(
  db: Db,
  agentIds: readonly number[],
  changesMax: number,
): Promise<readonly z.output<typeof hallAgentRow>[]> {
  return db.any(sql.type(hallAgentRow)`
    SELECT a.account_id AS agent_id, a.name, a.created_at AS registered_at, a.wallet, p.owner_id,
      coalesce((c.policy->>'accepts_mandates')::boolean, false) AS accepts_mandates, coalesce(newest.changes, '[]') AS changes
    FROM accounts AS a LEFT JOIN pairings AS p ON p.agent_id = a.account_id LEFT JOIN policies AS c ON c.agent_id = a.account_id
      CROSS JOIN LATERAL (
        SELECT jsonb_agg(to_jsonb(one) ORDER BY one.change_id DESC) AS changes FROM (
          SELECT change_id, changed_at, direction, before, after FROM policy_changes
          WHERE agent_id = a.account_id ORDER BY change_id DESC LIMIT ${changesMax}) AS one) AS newest
    WHERE a.account_id = ANY(${sql.array([...agentIds], 'int8')}) AND a.kind = 'agent'`)
}

const ownerRow = z.object({ owner_id: z.number(), wallet })

/** Returns the wallets of owners; omits ids that are not owners. */
export function ownersOf(db: Db, ownerIds: readonly number[]): Promise<readonly z.output<typeof ownerRow>[]> {
  return db.any(sql.type(ownerRow)`
    SELECT account_id AS owner_id, wallet FROM accounts
    WHERE account_id = ANY(${sql.array([...ownerIds], 'int8')}) AND kind = 'owner'`)
}

const accountIdRow = z.object({ account_id: z.number() })

/** Returns ids of agents above an id, in their order. */
export async function agentIdsAfter(db: Db, after: number, limit: number): Promise<number[]> {
  const rows = await db.any(sql.type(accountIdRow)`
    SELECT account_id FROM accounts WHERE account_id > ${after} AND kind = 'agent' ORDER BY account_id LIMIT ${limit}`)
  return rows.map(({ account_id }) => account_id)
}
