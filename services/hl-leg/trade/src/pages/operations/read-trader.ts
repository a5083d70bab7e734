import { ok } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { callerOf, type BoundHandler } from '@svc/service'
import { exact } from '@svc/hyperliquid/rounding'
import { getAddress } from 'viem'
import { isLegBound } from '#account/leg-bound.ts'
import { ownAccountOf } from '#account/own-account.ts'
import type { Context } from '#context.ts'
import { readCapView } from '#orders/caps-of.ts'
import { modeOf } from '#orders/mode-of.ts'
import { checksOf } from '../rules/checks.ts'
import { orUnknown } from '../or-unknown.ts'

export const readTrader: BoundHandler<Context, typeof hlTrade.operations.readTrader> = (context) => async (_, call) => {
  const { account_id: ownerId } = callerOf(call)
  const { liveTrading, builderAddress, openNotionalMult } = context.settings
  const own = await ownAccountOf(context, ownerId)
  const [limits, legBound] = await Promise.all([
    readCapView(context, context.pool, { ownerId, accountId: ownerId, door: 'pages' }),
    own === null ? false : orUnknown(context, isLegBound(context, own.wallet)),
  ])
  return ok(200, {
    wallet: own === null ? null : getAddress(own.wallet),
    linked: own !== null,
    order_key: own?.orderKey.state ?? 'none',
    live_trading: liveTrading,
    live_switch: liveTrading,
    mode: modeOf(context, own),
    limits,
    open_notional_max_usdc: exact(limits.daily_usdc).times(openNotionalMult).toFixed(),
    checks: checksOf({
      liveTrading,
      linked: own !== null,
      refused: own?.refused ?? null,
      orderKey: own?.orderKey.state ?? 'none',
      builder: builderAddress === null ? null : (own?.builderFee.approved ?? false),
      legBound,
    }),
  })
}
