import { type Account, coinOf, type Dex, type Num, num, type State } from './state.ts'

/** What an account on one dex is worth and may lose, by the venue's identities. */
export interface Margin {
  readonly accountValue: Num
  readonly notional: Num
  /** Initial margin of positions and resting orders. */
  readonly used: Num
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
}

/** Returns the positions of an account on a dex, flat ones left out. */
export function heldOn(account: Account, dex: Dex): Held[] {
  const own = account.dexes[dex.name]
  if (own === undefined) return []
  return dex.markets.flatMap((market) => {
    const coin = coinOf(dex, market)
    const position = own.positions[coin]
    if (position === undefined || num(position.size).isZero()) return []
    const leverage = own.leverage[coin] ?? market.maxLeverage
    const { maxLeverage } = market
    return [
      { coin, size: num(position.size), entry: num(position.entry), mark: num(market.mark), leverage, maxLeverage },
    ]
  })
}

/**
 * Account value = cash + Σ size × mark. Withdrawable = value less the greater of initial margin and a tenth of the
 * notional, and at least zero.
 */
export function marginOf(account: Account, dex: Dex): Margin {
  const held = heldOn(account, dex)
  const sum = (of: (one: Held) => Num) => held.reduce((total, one) => total.plus(of(one)), num(0))
  const accountValue = num(account.dexes[dex.name]?.raw ?? 0).plus(sum((one) => one.size.times(one.mark)))
  const notional = sum((one) => one.size.abs().times(one.mark))
  const resting = account.orders
    .filter((order) => order.status === 'open' && !order.reduceOnly && isOn(dex, order.coin))
    .reduce(
      (total, order) =>
        total.plus(
          num(order.remaining)
            .times(order.limitPx)
            .div(leverageOf(account, dex, order.coin)),
        ),
      num(0),
    )
  const used = sum((one) => one.size.abs().times(one.mark).div(one.leverage)).plus(resting)
  const maintenance = sum((one) =>
    one.size
      .abs()
      .times(one.mark)
      .div(2 * one.maxLeverage),
  )
  const tenth = notional.div(10)
  const free = accountValue.minus(used.gt(tenth) ? used : tenth)
  return { accountValue, notional, used, maintenance, withdrawable: free.isNegative() ? num(0) : free }
}

export const isOn = (dex: Dex, coin: string): boolean =>
  dex.name === '' ? !coin.includes(':') : coin.startsWith(`${dex.name}:`)

export function leverageOf(account: Account, dex: Dex, coin: string): number {
  const market = dex.markets.find((one) => coinOf(dex, one) === coin)
  return account.dexes[dex.name]?.leverage[coin] ?? market?.maxLeverage ?? 1
}

/** Price at which a position is liquidated if nothing else moves; null if there is none above zero. */
export function liquidationPrice(one: Held, margin: Margin): Num | null {
  const side = one.size.isNegative() ? -1 : 1
  const share = num(1).div(2 * one.maxLeverage)
  const room = margin.accountValue.minus(margin.maintenance)
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
    for (const own of Object.values(account.dexes)) total = total.plus(own.raw)
  }
  return total
}
