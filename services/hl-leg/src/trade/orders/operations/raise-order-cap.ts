import { ok, refuse } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { scopeDenied } from '@svc/contracts/identity/pairing'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#trade/context.ts'
import { capOf, capsOf, capView } from '../caps-of.ts'
import { raised } from '../rules/cap-step.ts'
import { storeCap } from '../store/caps.ts'
import { lockOrders } from '../store/trade-orders.ts'

export const raiseOrderCap: BoundHandler<Context, typeof hlTrade.operations.raiseOrderCap> =
  (context) => async (_, call) => {
    const { account_id: ownerId, kind } = callerOf(call)
    if (kind !== 'owner') refuse(scopeDenied)
    return call.effect(async (tx) => {
      await lockOrders(tx, ownerId)
      const cap = raised(await capOf(context, tx, ownerId, 'terminal'), context.settings.orderCapMaxUsdc)
      await storeCap(tx, ownerId, 'terminal', cap, call.now)
      const { caps } = await capsOf(context, tx, { ownerId, accountId: ownerId, door: 'terminal' })
      return ok(200, { ok: true as const, ...capView(caps) })
    })
  }
