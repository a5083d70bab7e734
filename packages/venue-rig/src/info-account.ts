import { agentsOf } from './agents.ts'
import { activeAssetData as assetData } from './leverage.ts'
import { heldOn, initialOf, liquidationPrice, marginOf, valueOf } from './margin.ts'
import { dexNamed, isOn, listed } from './markets.ts'
import { spotState as spotOf } from './spot.ts'
import { feesOf } from './fees.ts'
import {
  type Account,
  FIRST_REQUESTS,
  type Fill,
  num,
  now,
  type Order,
  type State,
  text,
  touchAccount,
} from './state.ts'
import { openOrders } from './trade.ts'
import { triggerFields } from './triggers.ts'

/** A reading of an address that the venue may not know; it is not created by being asked for. */
const seen = (state: State, user: string): Account =>
  state.accounts[user] ?? touchAccount({ ...state, accounts: {} }, user)

export function clearinghouseState(state: State, user: string, dexName: string): unknown {
  const dex = dexNamed(state, dexName)
  if (dex === null) return null
  const account = seen(state, user)
  const margin = marginOf(account, dex)
  const summary = ({ accountValue, notional, raw, used }: (typeof margin)['cross']) => ({
    accountValue: text(accountValue, 6),
    totalNtlPos: text(notional, 6),
    totalRawUsd: text(raw, 6),
    totalMarginUsed: text(used, 6),
  })
  return {
    marginSummary: summary(margin),
    crossMarginSummary: summary(margin.cross),
    crossMaintenanceMarginUsed: text(margin.maintenance, 6),
    withdrawable: text(margin.withdrawable.toDecimalPlaces(6, 1), 6),
    assetPositions: heldOn(account, dex).map((held) => {
      const position = account.dexes[dex.name]?.positions[held.coin]
      const profit = held.size.times(held.mark.minus(held.entry))
      const liquidation = liquidationPrice(held, margin)
      return {
        type: 'oneWay',
        position: {
          coin: held.coin,
          szi: text(held.size),
          leverage:
            held.rawUsd === null
              ? { type: 'cross', value: held.leverage }
              : { type: 'isolated', value: held.leverage, rawUsd: text(held.rawUsd, 6) },
          entryPx: text(held.entry),
          positionValue: text(held.size.abs().times(held.mark), 6),
          unrealizedPnl: text(profit, 6),
          returnOnEquity: text(profit.times(held.leverage).div(held.size.abs().times(held.entry))),
          liquidationPx: liquidation === null ? null : text(liquidation),
          marginUsed: text(held.rawUsd === null ? initialOf(held) : valueOf(held), 6),
          maxLeverage: held.maxLeverage,
          cumFunding: {
            allTime: position?.fundingAllTime ?? '0',
            sinceOpen: position?.fundingSinceOpen ?? '0',
            sinceChange: position?.fundingSinceOpen ?? '0',
          },
        },
      }
    }),
    time: now(state),
  }
}

export const spotState = (state: State, user: string) => spotOf(state, seen(state, user))

/** Null for an unknown market. */
export const activeAssetData = (state: State, user: string, coin: string): unknown =>
  listed(state, { coin }) === null ? null : assetData(state, user, seen(state, user), coin)

export const extraAgents = (state: State, user: string) =>
  agentsOf(state, user)
    .filter((agent) => agent.name !== '' && agent.validUntil > now(state))
    .map(({ name, address, validUntil }) => ({ name, address, validUntil }))

export function userRole(state: State, user: string): unknown {
  const agent = state.agents[user]
  if (agent !== undefined) return { role: 'agent', data: { user: agent.user } }
  const special = state.roles?.[user]
  if (special?.role === 'vault') return { role: 'vault' }
  if (special?.role === 'subAccount') return { role: 'subAccount', data: { master: special.master } }
  return { role: state.accounts[user] === undefined ? 'missing' : 'user' }
}

export const userRateLimit = (state: State, user: string) => {
  const account = seen(state, user)
  return {
    cumVlm: text(account.traded, 2),
    nRequestsUsed: account.requests,
    nRequestsCap: num(account.traded).plus(FIRST_REQUESTS).floor().toNumber(),
    nRequestsSurplus: 0,
  }
}

const wireOrder = (order: Order) => ({
  coin: order.coin,
  side: order.side,
  limitPx: order.limitPx,
  sz: order.remaining,
  oid: order.oid,
  timestamp: order.timestamp,
  origSz: order.size,
  reduceOnly: order.reduceOnly,
  cloid: order.cloid,
})
type FullOrder = ReturnType<typeof wireOrder> & ReturnType<typeof triggerFields> & { children: FullOrder[] }

/** An order with the orders that wait for its execution. */
const fullOrder = (order: Order, account: Account): FullOrder => ({
  ...wireOrder(order),
  ...triggerFields(order),
  children: openOrders(account)
    .filter(({ trigger }) => trigger?.parent === order.oid && order.status === 'open')
    .map((child) => fullOrder(child, account)),
})
const withStatus = (state: State, order: Order, account: Account) => ({
  order: { ...fullOrder(order, account), ...(state.staleSizes === true ? { sz: order.size } : {}) },
  status: order.status,
  statusTimestamp: order.statusTimestamp,
})

export function openOrdersOn(state: State, user: string, dexName: string, full: boolean): unknown[] {
  const dex = dexNamed(state, dexName)
  if (dex === null) return []
  const account = seen(state, user)
  const open = openOrders(account).filter((order) => isOn(dex, order.coin))
  // What waits for the execution of another open order is listed with that one.
  return open
    .filter(({ trigger }) => !open.some(({ oid }) => oid === trigger?.parent))
    .map((order) => (full ? fullOrder(order, account) : wireOrder(order)))
}

export function historicalOrders(state: State, user: string) {
  const account = seen(state, user)
  return account.orders.slice(0, 2_000).map((order) => withStatus(state, order, account))
}

export function orderStatus(state: State, user: string, id: number | string): unknown {
  const account = seen(state, user)
  const order = account.orders.find((one) => one.oid === id || (one.cloid !== null && one.cloid === id))
  return order === undefined ? { status: 'unknownOid' } : { status: 'order', order: withStatus(state, order, account) }
}

const within = (from: number, to: number) => (row: { readonly time: number }) => row.time >= from && row.time <= to

const FILLS_MAX = 2_000
/** Fills that are listed by now, newest first. */
function fillsListed(state: State, user: string): readonly Fill[] {
  const { fills } = seen(state, user)
  const until = now(state) - (state.fillsLateMs ?? 0)
  return state.fillsLateMs ? fills.filter(({ time }) => time <= until) : fills
}

export const userFills = (state: State, user: string) => fillsListed(state, user).slice(0, FILLS_MAX)

/** Fills of a span, oldest first unless `reversed`; what is beyond the most rows is left out at the end. */
export function userFillsByTime(state: State, user: string, [from, to]: readonly [number, number], reversed: boolean) {
  const rows = fillsListed(state, user).filter(within(from, to))
  return (reversed ? rows : rows.toReversed()).slice(0, FILLS_MAX)
}
export const userFunding = (state: State, user: string, from = 0, to = Infinity) =>
  seen(state, user).funding.filter(within(from, to)).slice(0, 500)
export const ledgerUpdates = (state: State, user: string, from = 0, to = Infinity) =>
  seen(state, user).ledger.filter(within(from, to)).slice(0, 500)

export const userFees = (state: State, user: string) => feesOf(state, seen(state, user))

/** Value and profit of an account now, as one point of each span. */
export function portfolio(state: State, user: string): unknown {
  const account = seen(state, user)
  const value = state.dexes.reduce((sum, dex) => sum.plus(marginOf(account, dex).accountValue), num(0))
  const paid = account.ledger.reduce((sum, { delta }) => {
    if (delta['type'] === 'deposit') return sum.plus(String(delta['usdc']))
    if (delta['type'] !== 'internalTransfer' || delta['user'] === delta['destination']) return sum
    return delta['destination'] === user
      ? sum.plus(String(delta['usdc']))
      : sum.minus(String(delta['usdc'])).minus(String(delta['fee']))
  }, num(0))
  const row = {
    accountValueHistory: [[now(state), text(value, 6)]],
    pnlHistory: [[now(state), text(value.minus(paid), 6)]],
    vlm: text(account.traded, 2),
  }
  return ['day', 'week', 'month', 'allTime', 'perpDay', 'perpWeek', 'perpMonth', 'perpAllTime'].map((span) => [
    span,
    row,
  ])
}
