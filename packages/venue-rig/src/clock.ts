import { heldOn, marginOf } from './margin.ts'
import { matchResting } from './orders.ts'
import { coinOf, dexAccount, listed, num, now, type Order, type State, text } from './state.ts'
import { execute, hashOf, openOrders, takeFrom, walk } from './trade.ts'

const HOUR_MS = 3_600_000

/** Does what is due: pays funding for each full hour, liquidates who lacks maintenance margin, fills resting orders. */
export function tick(state: State): void {
  const at = now(state)
  for (let hour = Math.floor(state.fundedUntilMs / HOUR_MS) + 1; hour * HOUR_MS <= at; hour += 1)
    payFunding(state, hour * HOUR_MS)
  state.fundedUntilMs = Math.max(state.fundedUntilMs, at)
  liquidate(state)
  matchResting(state)
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
        own.raw = text(num(own.raw).plus(usdc), 20)
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

/** Closes all positions of an account on a dex at the book, as far as it reaches, when maintenance is not covered. */
function liquidate(state: State): void {
  for (const [user, account] of Object.entries(state.accounts))
    for (const dex of state.dexes) {
      const margin = marginOf(account, dex)
      if (margin.notional.isZero() || margin.accountValue.gte(margin.maintenance)) continue
      for (const order of openOrders(account)) order.status = 'liquidatedCanceled'
      for (const held of heldOn(account, dex)) closeByForce(state, user, held.coin)
      account.ledger.push({
        time: now(state),
        hash: hashOf('liquidation', user, now(state)),
        delta: {
          type: 'liquidation',
          liquidatedNtlPos: text(margin.notional, 6),
          accountValue: text(margin.accountValue, 6),
          leverageType: 'Cross',
          liquidatedPositions: [],
        },
      })
    }
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
  for (const { px, size: part } of steps)
    execute(state, { user, order, at, px, size: part, crossed: true, builder: null, liquidation: true })
  takeFrom(at, side, steps)
  if (!num(order.remaining).isZero()) order.status = 'canceled'
}
