import { ok, refuse } from '@svc/contract'
import type { gallery } from '@svc/contracts/gallery'
import { unknownOperator } from '@svc/contracts/gallery/operators'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { operatorView } from '../operator-view.ts'
import { endOperator, findOperator } from '../store/operators.ts'

export const removeOperator: BoundHandler<Context, typeof gallery.operations.removeOperator> =
  () =>
  async ({ operator_id: operatorId }, call) =>
    call.effect(async (tx) => {
      await endOperator(tx, operatorId, { reason: 'removed by an admin', adminId: callerOf(call).account_id }, call.now)
      const operator = (await findOperator(tx, operatorId)) ?? refuse(unknownOperator)
      return ok(200, { ok: true as const, operator: operatorView(operator) })
    })
