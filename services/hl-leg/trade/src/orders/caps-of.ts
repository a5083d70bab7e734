import type { OrderCap } from '@svc/contracts/hl-trade/order-schemas'
import { exact } from '@svc/hyperliquid/rounding'
import type { Db } from '@svc/postgres'
import type { Context } from '#context.ts'
import { capOfPages, capOfTerminal, type Cap, type EffectiveCap } from './rules/effective-cap.ts'
import type { Caps } from './rules/judge-trade.ts'
import { readLimits, readTerminalCap, type Door } from './store/caps.ts'
import { paperUseOf } from './store/paper-use.ts'
import { tradeSums, type TradeSums } from './store/sums.ts'

const DAY_MS = 86_400_000

type Deps = Pick<Context, 'settings' | 'clock'>
/** Whose orders at which door; `accountId` is the account that asks. */
interface Who {
  readonly ownerId: number
  readonly accountId: number
  readonly door: Door
}

/** Returns the caps of the settings: those of both doors while an owner changed nothing. */
export const defaultCap = ({ settings }: Pick<Context, 'settings'>): Cap => ({
  perOrderUsdc: settings.orderCapUsdc,
  dailyUsdc: settings.orderDailyCapUsdc,
})

/** Returns the caps that bind the orders of an owner at a door. */
async function capOf(context: Deps, db: Db, { ownerId, door }: Omit<Who, 'accountId'>): Promise<EffectiveCap> {
  const limits = await readLimits(db, ownerId)
  if (door === 'pages') return capOfPages(limits, defaultCap(context))
  return capOfTerminal(limits, (await readTerminalCap(db, ownerId)) ?? defaultCap(context))
}

/** Caps of an owner at a door with what binds each, and their use. */
type OwnCaps = Caps & EffectiveCap

/**
 * Reads the caps of an owner with their use by live orders, and the sums that they are compared with. An order that is judged
 * again is left out as `without`: it may count on the day before.
 */
export async function capsOf(
  context: Deps,
  db: Db,
  who: Who,
  without: number | null = null,
): Promise<{ readonly caps: OwnCaps; readonly sums: TradeSums }> {
  const now = context.clock.now()
  const [cap, sums] = [await capOf(context, db, who), await tradeSums(db, { ...who, without }, now)]
  return { caps: { ...cap, usedTodayUsdc: sums.usedUsdc, resetsAt: endOfDay(now) }, sums }
}

/** Reads the caps of an owner with their use by paper orders, which is counted apart. */
export async function paperCapsOf(context: Deps, db: Db, who: Omit<Who, 'accountId'>): Promise<Caps> {
  const now = context.clock.now()
  const [cap, used] = [await capOf(context, db, who), await paperUseOf(db, who.ownerId, now)]
  return { ...cap, usedTodayUsdc: used, resetsAt: endOfDay(now) }
}

const endOfDay = (now: Date): Date => new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS)

/** Reads the caps of an owner as the API shows them. */
export async function readCapView(context: Deps, db: Db, who: Who): Promise<OrderCap> {
  const { perOrderUsdc, dailyUsdc, boundBy, usedTodayUsdc, resetsAt } = (await capsOf(context, db, who)).caps
  const text = (value: string) => exact(value).toFixed()
  const left = exact(dailyUsdc).minus(usedTodayUsdc)
  return {
    per_order_usdc: text(perOrderUsdc),
    daily_usdc: text(dailyUsdc),
    bound_by: { per_order_usdc: boundBy.perOrderUsdc, daily_usdc: boundBy.dailyUsdc },
    used_today_usdc: text(usedTodayUsdc),
    remaining_today_usdc: left.isNegative() ? '0' : left.toFixed(),
    paper_used_today_usdc: text(await paperUseOf(db, who.ownerId, context.clock.now())),
    resets_at: resetsAt.toISOString(),
  }
}
