import { ok, refuse } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { scopeDenied } from '@svc/contracts/identity/pairing'
import { exact } from '@svc/hyperliquid/rounding'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { defaultCap, readCapView } from '../caps-of.ts'
import { raised } from '../rules/cap-step.ts'
import type { Cap } from '../rules/effective-cap.ts'
import { readTerminalCap, storeTerminalCap } from '../store/caps.ts'
import { lockOrders } from '../store/trade-orders.ts'

export const raiseOrderCap: BoundHandler<Context, typeof hlTrade.operations.raiseOrderCap> =
  (context) => async (_, call) => {
    const { account_id: ownerId, kind } = callerOf(call)
    if (kind !== 'owner')
      refuse(scopeDenied, undefined, {
        fix: 'Ask your owner to raise the cap: it takes the session of an owner.',
        human_action: { who: 'owner', url: '/ui/trade', route: 'POST /hub/order/cap/raise' },
      })
    return call.effect(async (tx) => {
      await lockOrders(tx, ownerId)
      const before = (await readTerminalCap(tx, ownerId)) ?? defaultCap(context)
      const after = raised(before, context.settings.orderCapMaxUsdc)
      await storeTerminalCap(tx, ownerId, after, call.now)
      const binding = await readCapView(context, tx, { ownerId, accountId: ownerId, door: 'terminal' })
      return ok(200, { ok: true as const, ...binding, changed: changeOf(before, after) })
    })
  }

function changeOf(before: Cap, after: Cap) {
  const step = (name: keyof Cap) => ({ from: exact(before[name]).toFixed(), to: exact(after[name]).toFixed() })
  return { per_order_usdc: step('perOrderUsdc'), daily_usdc: step('dailyUsdc') }
}
