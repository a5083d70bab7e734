import type { BodyOf } from '@svc/contract'
import { identity } from '@svc/contracts/identity'
import { CLOSED_POLICY, POLICY_CHANGES_MAX, type AgentPolicy } from '@svc/contracts/identity/policy'
import { emit, type Db, type Tx } from '@svc/postgres'
import { directionOf, type Direction } from './rules/policy.ts'
import { checksummed } from '#wallets/rules/wallet-address.ts'
import { lastChanges, readPolicy, storePolicy } from './store/policies.ts'

type Changes = BodyOf<typeof identity.operations.readPolicy>['changes']

/**
 * Changes an agent's policy, stores who changed it, when, and the policy before and after, and publishes the change. The
 * caller holds the agent's lock. Returns the direction; null if the policy stays the same, which stores nothing.
 */
export async function changePolicy(
  tx: Tx,
  by: { readonly agentId: number; readonly ownerId: number; readonly cause: 'paired' | 'replaced' },
  change: (before: AgentPolicy) => AgentPolicy,
  now: Date,
): Promise<Direction | null> {
  const before = (await readPolicy(tx, by.agentId)) ?? CLOSED_POLICY
  const after = change(before)
  const direction = directionOf(before, after)
  if (direction === null) return null
  const row = { agent_id: by.agentId, changed_by: by.ownerId, cause: by.cause, direction, before, after }
  const change_id = await storePolicy(tx, row, now)
  await emit(tx, identity.events.policyChanged, {
    agent_id: by.agentId,
    owner_id: by.ownerId,
    change_id,
    direction,
    before,
    after,
    changed_at: now.toISOString(),
  })
  return direction
}

/** Returns the last 10 changes of a policy, newest first. */
export async function shownChanges(db: Db, agentId: number): Promise<Changes> {
  const rows = await lastChanges(db, agentId, POLICY_CHANGES_MAX)
  return rows.map(({ changed_by, wallet, ...row }) => ({
    ...row,
    changed_by: { owner_id: changed_by, wallet: checksummed(wallet) },
  }))
}
