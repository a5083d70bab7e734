import { coinOf, isOn } from './markets.ts'
import { type Account, type Dex, type Market, type MarginTier, type Num, num, type State } from './state.ts'

/** What an account on one dex is worth and may lose, by the venue's identities. */
export interface Margin {
  /** With the isolated positions. */
  readonly accountValue: Num
  readonly notional: Num
  /** Cash after trades, that of isolated positions included. */
  readonly raw: Num
  /** Initial margin of positions and resting orders; an isolated position counts with its value. */
  readonly used: Num
  /** The same without isolated positions. */
  readonly cross: { readonly accountValue: Num; readonly notional: Num; readonly raw: Num; readonly used: Num }
  /** Of cross positions. */
  readonly maintenance: Num
  readonly withdrawable: Num
}

export interface Held {
  readonly coin: string
  readonly size: Num
  readonly entry: Num
  readonly mark: Num
  readonly leverage: number
  readonly maxLeverage: number
  readonly tiers: readonly MarginTier[]
  /** Cash of an isolated position after trades; null for a cross one. */
  readonly rawUsd: Num | null
}

/** Default of an account that set no leverage. */
const LEVERAGE_FIRST = 20

/** Returns the positions of an account on a dex, flat ones left out. */
export function heldOn(account: Account, dex: Dex): Held[] {
  const own = account.dexes[dex.name]
  if (own === undefined) return []
  return dex.markets.flatMap((market) => {
    const coin = coinOf(dex, market)
    const position = own.positions[coin]
    if (position === undefined || num(position.size).isZero()) return []
    const { maxLeverage, tiers } = market
    const rawUsd = position.rawUsd === undefined ? null : num(position.rawUsd)
    return [
      {
        coin,
        size: num(position.size),
        entry: num(position.entry),
        mark: num(market.mark),
        leverage: leverageOn(account, dex, market),
        maxLeverage,
        tiers,
        rawUsd,
      },
    ]
  })
}

const notionalOf = (one: Held): Num => one.size.abs().times(one.mark)
/** Value of an isolated position: its cash and its size at the mark. */
export const valueOf = (one: Held): Num => (one.rawUsd ?? num(0)).plus(one.size.times(one.mark))

/** Most leverage that a notional may have. */
export const tierLeverage = (tiers: readonly MarginTier[], notional: Num): number =>
  tiers.findLast(({ lowerBound }) => notional.gte(lowerBound))?.maxLeverage ?? 1

/** Initial margin of a position, by the leverage of the account and the tier of its notional. */
export const initialOf = (one: Held): Num =>
  notionalOf(one).div(Math.min(one.leverage, tierLeverage(one.tiers, notionalOf(one))))

/**
 * Maintenance margin of a position: half the initial margin at the most leverage of its tier, less what the tiers below
 * need less, so that it has no step at a bound.
 */
export function maintenanceOf(one: Held): Num {
  const rate = (leverage: number) => num(1).div(2 * leverage)
  const notional = notionalOf(one)
  let deduction = num(0)
  let reached = rate(one.tiers[0]?.maxLeverage ?? one.maxLeverage)
  for (const { lowerBound, maxLeverage } of one.tiers.slice(1)) {
    if (notional.lt(lowerBound)) break
    deduction = deduction.plus(num(lowerBound).times(rate(maxLeverage).minus(reached)))
    reached = rate(maxLeverage)
  }
  return notional.times(reached).minus(deduction)
}

/**
 * Account value = cash + Σ size × mark. Withdrawable = value less the greater of initial margin and a tenth of the
 * notional, without isolated positions, and at least zero.
 */
export function marginOf(account: Account, dex: Dex): Margin {
  const held = heldOn(account, dex)
  const cross = held.filter((one) => one.rawUsd === null)
  const isolated = held.filter((one) => one.rawUsd !== null)
  const sum = (list: readonly Held[], of: (one: Held) => Num) =>
    list.reduce((total, one) => total.plus(of(one)), num(0))
  const raw = num(account.dexes[dex.name]?.raw ?? 0)
  const crossValue = raw.plus(sum(cross, (one) => one.size.times(one.mark)))
  const crossNotional = sum(cross, notionalOf)
  const used = sum(cross, initialOf).plus(restingMargin(account, dex))
  const tenth = crossNotional.div(10)
  const free = crossValue.minus(used.gt(tenth) ? used : tenth)
  return {
    accountValue: crossValue.plus(sum(isolated, valueOf)),
    notional: sum(held, notionalOf),
    raw: raw.plus(sum(isolated, (one) => one.rawUsd ?? num(0))),
    used: used.plus(sum(isolated, valueOf)),
    cross: { accountValue: crossValue, notional: crossNotional, raw, used },
    maintenance: sum(cross, maintenanceOf),
    withdrawable: free.isNegative() ? num(0) : free,
  }
}

/** Orders that wait for a trigger need no margin before it. */
const restingMargin = (account: Account, dex: Dex): Num =>
  account.orders
    .filter((order) => order.status === 'open' && !order.reduceOnly && !order.trigger && isOn(dex, order.coin))
    .reduce(
      (total, order) =>
        total.plus(
          num(order.remaining)
            .times(order.limitPx)
            .div(leverageOf(account, dex, order.coin)),
        ),
      num(0),
    )

const leverageOn = (account: Account, dex: Dex, market: Market): number =>
  account.dexes[dex.name]?.leverage[coinOf(dex, market)] ?? Math.min(LEVERAGE_FIRST, market.maxLeverage)

export function leverageOf(account: Account, dex: Dex, coin: string): number {
  const market = dex.markets.find((one) => coinOf(dex, one) === coin)
  return market === undefined ? 1 : leverageOn(account, dex, market)
}

/** True if the account trades the market with isolated margin, by its own choice or because the market allows no other. */
export const isIsolated = (account: Account, dex: Dex, market: Market): boolean =>
  market.marginMode !== null || account.dexes[dex.name]?.isolated?.[coinOf(dex, market)] === true

/** Price at which a position is liquidated if nothing else moves; null if there is none above zero. */
export function liquidationPrice(one: Held, margin: Margin): Num | null {
  const side = one.size.isNegative() ? -1 : 1
  const share = num(1).div(2 * tierLeverage(one.tiers, notionalOf(one)))
  const room =
    one.rawUsd === null ? margin.cross.accountValue.minus(margin.maintenance) : valueOf(one).minus(maintenanceOf(one))
  const price = one.mark.minus(
    room
      .times(side)
      .div(one.size.abs())
      .div(num(1).minus(share.times(side))),
  )
  return price.gt(0) ? price : null
}

/** Sum of all money of the network, the house included: trades, fees and funding leave it as it is. */
export function totalCash(state: State): Num {
  let total = num(state.house.cash)
  for (const account of Object.values(state.accounts)) {
    total = total.plus(account.spot)
    for (const own of Object.values(account.dexes)) {
      total = total.plus(own.raw)
      for (const { rawUsd } of Object.values(own.positions)) total = total.plus(rawUsd ?? 0)
    }
  }
  return total
}
