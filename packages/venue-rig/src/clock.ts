import { type Held, heldOn, maintenanceOf, marginOf, valueOf } from './margin.ts'
import { coinOf, isOn, type Listed, listed } from './markets.ts'
import { isUnified, settleUnified } from './modes.ts'
import { cancelScheduled, matchResting } from './resting.ts'
import {
  type Account,
  dexAccount,
  type Dex,
  type Market,
  type Num,
  num,
  now,
  type Order,
  type State,
  text,
} from './state.ts'
import { execute, hashOf, openOrders, takeFrom, takerFeeOf, walk } from './trade.ts'

const HOUR_MS = 3_600_000
/** Least time between two updates of a mark on a dex of a deployer. */
const MARK_EVERY_MS = 2_500

/**
 * Does what is due: pays funding for each full hour, cancels what was planned, updates marks that follow their book,
 * liquidates who lacks maintenance margin, fills resting orders.
 */
export function tick(state: State): void {
  const at = now(state)
  for (let hour = Math.floor(state.fundedUntilMs / HOUR_MS) + 1; hour * HOUR_MS <= at; hour += 1)
    payFunding(state, hour * HOUR_MS)
  state.fundedUntilMs = Math.max(state.fundedUntilMs, at)
  cancelScheduled(state)
  for (const { markets } of state.dexes) for (const market of markets) followBook(market, at)
  liquidate(state)
  matchResting(state)
  for (const account of Object.values(state.accounts)) settleUnified(state, account)
}

/** Moves a mark that follows its book toward the middle one of best bid, best ask and last trade, by steps. */
function followBook(market: Market, at: number): void {
  const { local, bids, asks } = market
  if (local === undefined) return
  const known = [bids[0]?.px, asks[0]?.px, local.last].filter((px) => px !== undefined).map(num)
  const middle = known.toSorted((a, b) => a.cmp(b))[Math.floor(known.length / 2)] ?? num(market.mark)
  const updates = Math.floor((at - local.markedAtMs) / MARK_EVERY_MS)
  local.markedAtMs += updates * MARK_EVERY_MS
  for (let left = updates; left > 0 && !middle.eq(market.mark); left -= 1) {
    const [low, high] = [num(market.mark).times('0.99'), num(market.mark).times('1.01')]
    market.mark = text(middle.lt(low) ? low : middle.gt(high) ? high : middle, 6 - market.sizeDecimals)
  }
}

/** Funding of one hour: a long pays size × oracle price × rate, a short receives it; the house is the other side. */
function payFunding(state: State, hourMs: number): void {
  for (const [user, account] of Object.entries(state.accounts))
    for (const dex of state.dexes)
      for (const market of dex.markets) {
        const coin = coinOf(dex, market)
        const position = account.dexes[dex.name]?.positions[coin]
        if (position === undefined || num(position.size).isZero()) continue
        const usdc = num(text(num(position.size).times(market.oracle).times(market.funding).neg(), 6))
        const own = dexAccount(account, dex.name)
        // An isolated position pays its own funding.
        if (position.rawUsd === undefined) own.raw = text(num(own.raw).plus(usdc), 20)
        else position.rawUsd = text(num(position.rawUsd).plus(usdc), 20)
        state.house.cash = text(num(state.house.cash).minus(usdc), 20)
        position.fundingAllTime = text(num(position.fundingAllTime).minus(usdc))
        position.fundingSinceOpen = text(num(position.fundingSinceOpen).minus(usdc))
        account.funding.push({
          time: hourMs + 20,
          hash: hashOf('funding', user, coin, hourMs),
          delta: {
            type: 'funding',
            coin,
            usdc: text(usdc, 6),
            szi: position.size,
            fundingRate: market.funding,
            nSamples: null,
          },
        })
      }
}

/** Closes at the book, as far as it reaches, what no longer covers its maintenance margin. */
function liquidate(state: State): void {
  for (const [user, account] of Object.entries(state.accounts)) {
    for (const dex of state.dexes) {
      for (const held of heldOn(account, dex))
        if (held.rawUsd !== null && valueOf(held).lt(maintenanceOf(held)))
          seize(state, user, { held: [held], value: valueOf(held), type: 'Isolated' })
      if (!isUnified(account)) seizeCross(state, user, [dex])
    }
    if (isUnified(account)) seizeCross(state, user, state.dexes)
  }
}

/** Cross positions are liquidated together when the value that they share is below the maintenance of all. */
function seizeCross(state: State, user: string, dexes: readonly Dex[]): void {
  const account = state.accounts[user] as Account
  const held = dexes.flatMap((dex) => heldOn(account, dex)).filter(({ rawUsd }) => rawUsd === null)
  if (held.length === 0) return
  const margins = dexes.map((dex) => marginOf(account, dex))
  const sum = (of: (one: (typeof margins)[number]) => Num) => margins.reduce((all, one) => all.plus(of(one)), num(0))
  const shared = isUnified(account) ? num(account.spot) : num(0)
  const value = shared.plus(sum((one) => one.cross.accountValue))
  if (value.gte(sum((one) => one.maintenance))) return
  for (const order of openOrders(account))
    if (dexes.some((dex) => isOn(dex, order.coin))) order.status = 'liquidatedCanceled'
  seize(state, user, { held, value, type: 'Cross' })
}

interface Seizure {
  readonly held: readonly Held[]
  readonly value: Num
  readonly type: 'Cross' | 'Isolated'
}

function seize(state: State, user: string, { held, value, type }: Seizure): void {
  const account = state.accounts[user] as Account
  for (const { coin } of held) closeByForce(state, user, coin)
  account.ledger.push({
    time: now(state),
    hash: hashOf('liquidation', user, type, held[0]?.coin ?? '', now(state)),
    delta: {
      type: 'liquidation',
      liquidatedNtlPos: text(
        held.reduce((sum, one) => sum.plus(one.size.abs().times(one.mark)), num(0)),
        6,
      ),
      accountValue: text(value, 6),
      leverageType: type,
      liquidatedPositions: held.map(({ coin, size }) => ({ coin, szi: text(size) })),
    },
  })
}

/**
 * Returns the price at which others take over a part of an isolated position that the book would close at a loss beyond its
 * margin: what it has is used up then, and nothing is owed. Null: the book takes it.
 */
function deleveragedAt(state: State, account: Account, at: Listed, { px, size }: { px: Num; size: Num }): Num | null {
  const position = dexAccount(account, at.dex.name).positions[at.coin]
  if (position?.rawUsd === undefined) return null
  const [held, cash] = [num(position.size), num(position.rawUsd)]
  const value = cash.plus(held.times(px)).times(size).div(held.abs())
  return value.lt(takerFeeOf(state, account, at, size.times(px))) ? cash.neg().div(held) : null
}

function closeByForce(state: State, user: string, coin: string): void {
  const at = listed(state, { coin })
  const account = state.accounts[user]
  if (at === null || account === undefined) return
  const size = num(dexAccount(account, at.dex.name).positions[coin]?.size ?? 0)
  const side = size.isNegative() ? 'B' : 'A'
  const limit = num(at.market.mark).times(side === 'B' ? 5 : '0.2')
  const order: Order = {
    oid: state.nextOid++,
    cloid: null,
    coin,
    side,
    limitPx: text(limit),
    size: text(size.abs()),
    remaining: text(size.abs()),
    reduceOnly: true,
    tif: 'LiquidationMarket',
    timestamp: now(state),
    status: 'filled',
    statusTimestamp: now(state),
  }
  account.orders.unshift(order)
  const steps = walk(at, side, limit, size.abs())
  for (const step of steps) {
    const px = deleveragedAt(state, account, at, step)
    const price = px === null ? { px: step.px } : { px, deleverages: true }
    execute(state, { user, order, at, ...price, size: step.size, crossed: true, liquidation: true })
    if (px === null) takeFrom(at, side, [step])
  }
  if (!num(order.remaining).isZero()) order.status = 'canceled'
}
