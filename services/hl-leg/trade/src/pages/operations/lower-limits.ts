import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { limitsOnlyLower } from '@svc/contracts/hl-trade/pages'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { defaultCap, readCapView } from '#orders/caps-of.ts'
import { capOfPages } from '#orders/rules/effective-cap.ts'
import { readLimits, storeLimits } from '#orders/store/caps.ts'
import { lockOrders } from '#orders/store/trade-orders.ts'
import { isRaise } from '../rules/lower.ts'

export const lowerLimits: BoundHandler<Context, typeof hlTrade.operations.lowerLimits> =
  (context) => async (input, call) => {
    const { account_id: ownerId } = callerOf(call)
    const asked = { perOrderUsdc: input.per_order_usdc ?? null, dailyUsdc: input.daily_usdc ?? null }
    if (asked.perOrderUsdc === null && asked.dailyUsdc === null)
      refuse(common.invalidRequest, undefined, {}, [
        { pointer: '/per_order_usdc', code: 'missing', detail: 'send per_order_usdc, daily_usdc or both' },
      ])
    return call.effect(async (tx) => {
      await lockOrders(tx, ownerId)
      const limits = await readLimits(tx, ownerId)
      const fallback = defaultCap(context)
      const { perOrderUsdc, dailyUsdc } = capOfPages(limits, fallback)
      if (isRaise({ perOrderUsdc, dailyUsdc }, asked))
        refuse(limitsOnlyLower, undefined, { per_order_usdc: perOrderUsdc, daily_usdc: dailyUsdc })
      const next = {
        perOrderUsdc: asked.perOrderUsdc ?? limits.perOrderUsdc,
        dailyUsdc: asked.dailyUsdc ?? limits.dailyUsdc,
      }
      await storeLimits(tx, ownerId, next, fallback, call.now)
      const view = await readCapView(context, tx, { ownerId, accountId: ownerId, door: 'pages' })
      return ok(200, { ok: true as const, ...view })
    })
  }
