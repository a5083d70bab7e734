import { ok } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import { CLOSED_POLICY } from '@svc/contracts/identity/policy'
import type { BoundHandler } from '@svc/service'
import { callerOf } from '@svc/service'
import { visibleAgent } from '#agents/agent-view.ts'
import type { Context } from '#context.ts'
import { shownChanges } from '../policy-change.ts'

export const readPolicy: BoundHandler<Context, typeof identity.operations.readPolicy> =
  ({ pool }) =>
  async ({ agent_id }, call) => {
    const { policy, policy_updated_at } = await visibleAgent(pool, agent_id, callerOf(call))
    return ok(200, {
      agent_id,
      policy: policy ?? CLOSED_POLICY,
      updated_at: policy_updated_at,
      changes: await shownChanges(pool, agent_id),
    })
  }
