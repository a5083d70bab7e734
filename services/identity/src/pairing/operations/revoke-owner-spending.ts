import { ok } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import type { BoundHandler } from '@svc/service'
import { callerOf } from '@svc/service'
import type { Context } from '#context.ts'
import { setOwnerMaySpend } from '#agents/store/agents.ts'

export const revokeOwnerSpending: BoundHandler<Context, typeof identity.operations.revokeOwnerSpending> =
  () => async (_input, call) =>
    call.effect(async (tx) => {
      await setOwnerMaySpend(tx, callerOf(call).account_id, false)
      return ok(200, { ok: true, owner_may_spend: false })
    })
