import { Decimal } from 'decimal.js'

/** Decimal arithmetic with more digits than any product of the venue has. */
export const Num = Decimal.clone({ precision: 60, toExpNeg: -30, toExpPos: 40 })
export type Num = InstanceType<typeof Num>
export const num = (value: Decimal.Value): Num => new Num(value)
/** Decimal text as the venue prints it: no exponent, no superfluous zero, at most 8 decimals. */
export const text = (value: Decimal.Value, decimals = 8): string => num(value).toDecimalPlaces(decimals).toFixed()

export interface Level {
  px: string
  sz: string
}

export interface Market {
  name: string
  sizeDecimals: number
  maxLeverage: number
  delisted: boolean
  mark: string
  oracle: string
  previousDay: string
  /** Funding rate of an hour. */
  funding: string
  volume: string
  bids: Level[]
  asks: Level[]
  /** Refills after each order, stays as taken, or is left to the control plane. */
  policy: 'refill' | 'taken'
  /** Shape of the ladder that a refill makes: middle ± half the spread, then a step a level. */
  ladder: { spread: string; step: string; size: string; levels: number }
}

/** A perpetual exchange of the venue; `''` is the main one. Fees are fractions of the notional. */
export interface Dex {
  name: string
  fullName: string
  takerFee: string
  makerFee: string
  markets: Market[]
}

export interface Position {
  size: string
  entry: string
  fundingAllTime: string
  fundingSinceOpen: string
}

/** An account on one dex. `raw` is cash after trades: a buy lowers it by size × price. */
export interface DexAccount {
  raw: string
  positions: Record<string, Position>
  leverage: Record<string, number>
}

export interface Order {
  oid: number
  cloid: string | null
  coin: string
  side: 'A' | 'B'
  limitPx: string
  size: string
  remaining: string
  reduceOnly: boolean
  tif: string
  timestamp: number
  status: string
  statusTimestamp: number
}

export interface Fill {
  coin: string
  px: string
  sz: string
  side: 'A' | 'B'
  time: number
  startPosition: string
  dir: string
  closedPnl: string
  hash: string
  oid: number
  crossed: boolean
  fee: string
  tid: number
  feeToken: 'USDC'
  twapId: null
  cloid: string | null
  builderFee?: string
  liquidation?: { markPx: string; method: 'market' }
}

export interface Row {
  time: number
  hash: string
  delta: Record<string, unknown>
}

export type Mode = 'default' | 'disabled' | 'unifiedAccount' | 'portfolioMargin'

export interface Account {
  spot: string
  mode: Mode
  dexes: Record<string, DexAccount>
  builders: Record<string, number>
  orders: Order[]
  fills: Fill[]
  ledger: Row[]
  funding: Row[]
  /** Traded notional; each dollar earns one request beside the first 10,000. */
  traded: string
  requests: number
}

export interface Agent {
  user: string
  /** Empty for the unnamed one. */
  name: string
  validUntil: number
}

/** All there is of one network of the venue; plain JSON. */
export interface State {
  nowMs: number
  /** True: the clock is the machine's, plus `skewMs`. */
  realClock: boolean
  skewMs: number
  nextOid: number
  nextTid: number
  dexes: Dex[]
  accounts: Record<string, Account>
  /** By agent address. */
  agents: Record<string, Agent>
  usedAgents: string[]
  /** Addresses that are no accounts of persons: a vault, or the sub-account of a master. */
  roles?: Record<string, { role: 'vault' } | { role: 'subAccount'; master: string }>
  /** Nonces that each signer used, ascending. */
  nonces: Record<string, number[]>
  /** Names whose agent was removed, and until when the removal is pending: `<user>|<name>`. */
  removals: Record<string, number>
  /** Counterparty of all trades and sink of all fees: it makes every sum of the venue constant. */
  house: { cash: string; positions: Record<string, string> }
  fundedUntilMs: number
}

export const FIRST_REQUESTS = 10_000
export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

export function accountOf(state: State, address: string): Account {
  const account = state.accounts[address]
  if (account === undefined) throw new Error(`no account ${address}`)
  return account
}

/** Returns the account, which is created empty if the venue has not seen the address. */
export function touchAccount(state: State, address: string): Account {
  return (state.accounts[address] ??= {
    spot: '0',
    mode: 'default',
    dexes: {},
    builders: {},
    orders: [],
    fills: [],
    ledger: [],
    funding: [],
    traded: '0',
    requests: 0,
  })
}

export const dexAccount = (account: Account, dex: string): DexAccount =>
  (account.dexes[dex] ??= { raw: '0', positions: {}, leverage: {} })

export const now = (state: State): number => (state.realClock ? Date.now() + state.skewMs : state.nowMs)

/** A market with its dex and the number under which orders name it. */
export interface Listed {
  readonly dex: Dex
  readonly market: Market
  readonly asset: number
  /** Name in books, positions and fills; markets of other dexes carry the dex before a colon. */
  readonly coin: string
}

export const coinOf = (dex: Dex, market: Market): string =>
  dex.name === '' ? market.name : `${dex.name}:${market.name}`

export function listed(state: State, by: { asset: number } | { coin: string }): Listed | null {
  for (const [d, dex] of state.dexes.entries())
    for (const [i, market] of dex.markets.entries()) {
      const asset = d === 0 ? i : 100_000 + d * 10_000 + i
      const coin = coinOf(dex, market)
      if ('asset' in by ? by.asset === asset : by.coin === coin) return { dex, market, asset, coin }
    }
  return null
}

export const marketOf = (state: State, coin: string): Listed => {
  const found = listed(state, { coin })
  if (found === null) throw new Error(`no market ${coin}`)
  return found
}
