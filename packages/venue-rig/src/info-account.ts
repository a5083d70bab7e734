import { agentsOf } from './agents.ts'
import { heldOn, isOn, liquidationPrice, marginOf } from './margin.ts'
import {
  type Account,
  type Dex,
  FIRST_REQUESTS,
  num,
  now,
  type Order,
  type State,
  text,
  touchAccount,
} from './state.ts'
import { openOrders } from './trade.ts'

/** A reading of an address that the venue may not know; it is not created by being asked for. */
const seen = (state: State, user: string): Account =>
  state.accounts[user] ?? touchAccount({ ...state, accounts: {} }, user)

const dexOf = (state: State, name: string): Dex | undefined => state.dexes.find((dex) => dex.name === name)

export function clearinghouseState(state: State, user: string, dexName: string): unknown {
  const dex = dexOf(state, dexName)
  if (dex === undefined) return null
  const account = seen(state, user)
  const margin = marginOf(account, dex)
  const summary = {
    accountValue: text(margin.accountValue, 6),
    totalNtlPos: text(margin.notional, 6),
    totalRawUsd: text(account.dexes[dex.name]?.raw ?? 0, 6),
    totalMarginUsed: text(margin.used, 6),
  }
  return {
    marginSummary: summary,
    crossMarginSummary: summary,
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
          leverage: { type: 'cross', value: held.leverage },
          entryPx: text(held.entry),
          positionValue: text(held.size.abs().times(held.mark), 6),
          unrealizedPnl: text(profit, 6),
          returnOnEquity: text(profit.times(held.leverage).div(held.size.abs().times(held.entry))),
          liquidationPx: liquidation === null ? null : text(liquidation),
          marginUsed: text(held.size.abs().times(held.mark).div(held.leverage), 6),
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

export const spotState = (state: State, user: string) => ({
  balances: [{ coin: 'USDC', token: 0, total: text(seen(state, user).spot), hold: '0', entryNtl: '0' }],
})

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
const fullOrder = (order: Order) => ({
  ...wireOrder(order),
  triggerCondition: 'N/A',
  isTrigger: false,
  triggerPx: '0.0',
  children: [],
  isPositionTpsl: false,
  orderType: 'Limit',
  tif: order.tif,
})
const withStatus = (order: Order) => ({
  order: fullOrder(order),
  status: order.status,
  statusTimestamp: order.statusTimestamp,
})

export function openOrdersOn(state: State, user: string, dexName: string, full: boolean): unknown[] {
  const dex = dexOf(state, dexName)
  if (dex === undefined) return []
  return openOrders(seen(state, user))
    .filter((order) => isOn(dex, order.coin))
    .map(full ? fullOrder : wireOrder)
}

export const historicalOrders = (state: State, user: string) => seen(state, user).orders.slice(0, 2_000).map(withStatus)

export function orderStatus(state: State, user: string, id: number | string): unknown {
  const order = seen(state, user).orders.find((one) => one.oid === id || (one.cloid !== null && one.cloid === id))
  return order === undefined ? { status: 'unknownOid' } : { status: 'order', order: withStatus(order) }
}

const within = (from: number, to: number) => (row: { readonly time: number }) => row.time >= from && row.time <= to

export const userFills = (state: State, user: string, from = 0, to = Infinity) =>
  seen(state, user).fills.filter(within(from, to)).slice(0, 2_000)
export const userFunding = (state: State, user: string, from = 0, to = Infinity) =>
  seen(state, user).funding.filter(within(from, to)).slice(0, 500)
export const ledgerUpdates = (state: State, user: string, from = 0, to = Infinity) =>
  seen(state, user).ledger.filter(within(from, to)).slice(0, 500)

export const userFees = (state: State) => ({
  dailyUserVlm: [],
  feeSchedule: {
    cross: '0.00045',
    add: '0.00015',
    spotCross: '0.0007',
    spotAdd: '0.0004',
    tiers: {
      vip: [{ ntlCutoff: '5000000.0', cross: '0.0004', add: '0.00012', spotCross: '0.0006', spotAdd: '0.0003' }],
      mm: [{ makerFractionCutoff: '0.005', add: '-0.00001' }],
    },
    referralDiscount: '0.04',
    stakingDiscountTiers: [{ bpsOfMaxSupply: '0.0', discount: '0.0' }],
  },
  userCrossRate: state.dexes[0]?.takerFee ?? '0',
  userAddRate: state.dexes[0]?.makerFee ?? '0',
  userSpotCrossRate: '0.0007',
  userSpotAddRate: '0.0004',
  activeReferralDiscount: '0.0',
})

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
