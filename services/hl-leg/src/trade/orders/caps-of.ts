import type { OrderCap } from '@svc/contracts/hl-trade/order-schemas'
import { exact } from '@svc/hyperliquid/rounding'
import type { Db } from '@svc/postgres'
import type { Context } from '#trade/context.ts'
import type { Caps } from './rules/judge-trade.ts'
import { readCap, type Door, type OwnCap } from './store/caps.ts'
import { tradeSums, type TradeSums } from './store/sums.ts'

const DAY_MS = 86_400_000

/** Returns the caps of an owner: those that the owner changed, else those of the settings. */
export async function capOf(
  { settings }: Pick<Context, 'settings'>,
  db: Db,
  ownerId: number,
  door: Door,
): Promise<OwnCap> {
  const own = await readCap(db, ownerId, door)
  return own ?? { perOrderUsdc: settings.orderCapUsdc, dailyUsdc: settings.orderDailyCapUsdc }
}

/** Reads the caps of an owner with their use, and the sums that they are compared with. */
export async function capsOf(
  context: Pick<Context, 'settings' | 'clock'>,
  db: Db,
  who: { readonly ownerId: number; readonly accountId: number; readonly door: Door },
): Promise<{ readonly caps: Caps; readonly sums: TradeSums }> {
  const now = context.clock.now()
  const [cap, sums] = [
    await capOf(context, db, who.ownerId, who.door),
    await tradeSums(db, who.ownerId, who.accountId, now),
  ]
  const resetsAt = new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS)
  return { caps: { ...cap, usedTodayUsdc: sums.usedUsdc, resetsAt }, sums }
}

/** Returns caps as the API shows them. */
export function capView({ perOrderUsdc, dailyUsdc, usedTodayUsdc, resetsAt }: Caps): OrderCap {
  const text = (value: string) => exact(value).toFixed()
  const left = exact(dailyUsdc).minus(usedTodayUsdc)
  return {
    per_order_usdc: text(perOrderUsdc),
    daily_usdc: text(dailyUsdc),
    used_today_usdc: text(usedTodayUsdc),
    remaining_today_usdc: left.isNegative() ? '0' : left.toFixed(),
    resets_at: resetsAt.toISOString(),
  }
}
