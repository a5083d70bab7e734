import { json, sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { agentPolicy, type AgentPolicy } from '@svc/contracts/identity/policy'
import { z } from 'zod'
import type { Wallet } from '#wallets/rules/wallet-address.ts'

const policyRow = z.object({ policy: agentPolicy })

/** Returns the policy of an agent; null if it was never opened. To change it, lock the agent first. */
export async function readPolicy(db: Db, agentId: number): Promise<AgentPolicy | null> {
  const row = await db.maybeOne(sql.type(policyRow)`SELECT policy FROM policies WHERE agent_id = ${agentId}`)
  return row?.policy ?? null
}

const changes = table('policy_changes', {
  change_id: z.number(),
  changed_at: z.string(),
  changed_by: z.number(),
  cause: z.enum(['paired', 'replaced']),
  direction: z.enum(['tighten', 'widen', 'mixed']),
  before: json(agentPolicy),
  after: json(agentPolicy),
})
const newChanges = table('policy_changes', { ...changes.omit('change_id').columns, agent_id: z.number() })
export type PolicyChange = Omit<RowOf<typeof newChanges>, 'changed_at'>
const changeColumns = changes.listOf('c')
const changeRow = changes.row.extend({ wallet: z.custom<Wallet>((value) => typeof value === 'string') })

const changeIdRow = z.object({ change_id: z.number() })

/** Stores a policy and a row about the change; returns the id of that row. */
export async function storePolicy(tx: Tx, change: PolicyChange, now: Date): Promise<number> {
  const at = now.toISOString()
  await tx.query(sql.unsafe`
    INSERT INTO policies (agent_id, policy, updated_at) VALUES (${change.agent_id}, ${JSON.stringify(change.after)}::jsonb, ${at})
    ON CONFLICT (agent_id) DO UPDATE SET policy = excluded.policy, updated_at = excluded.updated_at`)
  const { change_id } = await tx.one(sql.type(changeIdRow)`
    ${newChanges.insert({ ...change, changed_at: at })} RETURNING change_id`)
  return change_id
}

/** Returns the last `max` changes of an agent's policy, newest first. */
export function lastChanges(db: Db, agentId: number, max: number): Promise<readonly z.output<typeof changeRow>[]> {
  return db.any(sql.type(changeRow)`
    SELECT ${changeColumns}, a.wallet
    FROM policy_changes AS c JOIN accounts AS a ON a.account_id = c.changed_by
    WHERE c.agent_id = ${agentId} ORDER BY c.change_id DESC LIMIT ${max}`)
}
