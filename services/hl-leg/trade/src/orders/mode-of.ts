import { refuse } from '@svc/contract'
import type { TradeMode } from '@svc/contracts/hl-trade/order-schemas'
import { modeChanged } from '@svc/contracts/hl-trade/orders'
import { ownAccountOf, type OwnAccount } from '#account/own-account.ts'
import type { Context } from '#context.ts'

/** Returns the mode in which an owner's orders are placed: live while live trading is on and the account is linked. */
export const modeOf = ({ settings }: Pick<Context, 'settings'>, own: OwnAccount | null): TradeMode =>
  settings.liveTrading && own !== null && own.refused === null ? 'live' : 'paper'

/** Refuses with `mode_changed` unless the mode that a page showed is the one that stands. */
export async function requireMode(context: Context, ownerId: number, seen: TradeMode): Promise<TradeMode> {
  const mode = modeOf(context, await ownAccountOf(context, ownerId))
  if (mode !== seen) refuse(modeChanged, undefined, { mode })
  return mode
}
