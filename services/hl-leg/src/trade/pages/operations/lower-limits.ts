import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { limitsOnlyLower } from '@svc/contracts/hl-trade/pages'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#trade/context.ts'
import { capOf, capsOf, capView } from '#trade/orders/caps-of.ts'
import { storeCap } from '#trade/orders/store/caps.ts'
import { lockOrders } from '#trade/orders/store/trade-orders.ts'
import { lowered } from '../rules/lower.ts'

export const lowerLimits: BoundHandler<Context, typeof hlTrade.operations.lowerLimits> =
  (context) => async (input, call) => {
    const { account_id: ownerId } = callerOf(call)
    const { per_order_usdc: perOrderUsdc, daily_usdc: dailyUsdc } = input
    if (perOrderUsdc === undefined && dailyUsdc === undefined)
      refuse(common.invalidRequest, undefined, {}, [
        { pointer: '/per_order_usdc', code: 'missing', detail: 'send per_order_usdc, daily_usdc or both' },
      ])
    return call.effect(async (tx) => {
      await lockOrders(tx, ownerId)
      const standing = await capOf(context, tx, ownerId, 'pages')
      const next = lowered(standing, { perOrderUsdc, dailyUsdc })
      if (next === null)
        refuse(limitsOnlyLower, undefined, { per_order_usdc: standing.perOrderUsdc, daily_usdc: standing.dailyUsdc })
      await storeCap(tx, ownerId, 'pages', next, call.now)
      const { caps } = await capsOf(context, tx, { ownerId, accountId: ownerId, door: 'pages' })
      return ok(200, { ok: true as const, ...capView(caps) })
    })
  }
