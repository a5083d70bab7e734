import { ok } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import { CLOSED_POLICY } from '@svc/contracts/identity/policy'
import type { BoundHandler } from '@svc/service'
import { callerOf } from '@svc/service'
import { visibleAgent } from '#agents/agent-view.ts'
import type { Context } from '#context.ts'
import { canonicalPolicy } from '../rules/policy.ts'
import { changePolicy, shownChanges } from '../policy-change.ts'
import { lockAccount } from '#accounts/store/accounts.ts'

export const replacePolicy: BoundHandler<Context, typeof identity.operations.replacePolicy> =
  ({ pool }) =>
  async ({ agent_id, ...items }, call) => {
    const owner = callerOf(call)
    // A pairing is permanent, so it need not be checked again under the lock.
    await visibleAgent(pool, agent_id, owner)
    return call.effect(async (tx) => {
      await lockAccount(tx, agent_id)
      const by = { agentId: agent_id, ownerId: owner.account_id, cause: 'replaced' } as const
      const direction = await changePolicy(tx, by, () => canonicalPolicy(items), call.now)
      const { policy, policy_updated_at } = await visibleAgent(tx, agent_id, owner)
      return ok(200, {
        ok: true,
        direction,
        agent_id,
        policy: policy ?? CLOSED_POLICY,
        updated_at: policy_updated_at,
        changes: await shownChanges(tx, agent_id),
      })
    })
  }
