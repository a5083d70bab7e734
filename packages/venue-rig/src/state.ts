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

/** From this notional on, no more leverage than this. */
export interface MarginTier {
  lowerBound: string
  maxLeverage: number
}

export interface Market {
  name: string
  sizeDecimals: number
  maxLeverage: number
  /** Number of the table of tiers; up to 50 it is the leverage of its one tier. */
  marginTableId: number
  /** Lowest bound first; the first begins at zero. */
  tiers: MarginTier[]
  /** Restricts a market to isolated margin; margin of a strictly isolated position cannot be taken out of it. */
  marginMode: 'strictIsolated' | 'noCross' | null
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
  /** Of a market whose mark follows its own book: the price of the last trade, and when the mark was updated. */
  local?: { last: string; markedAtMs: number }
  /** True: the control plane set its price, book or funding, which stay until it lets the market follow its source again. */
  pinned?: boolean
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
  /** Of an isolated position: its own cash after trades, which the cash of the dex does not contain. */
  rawUsd?: string
  fundingAllTime: string
  fundingSinceOpen: string
}

/** An account on one dex. `raw` is cash after trades: a buy lowers it by size × price. */
export interface DexAccount {
  raw: string
  positions: Record<string, Position>
  leverage: Record<string, number>
  /** Markets that the account trades with isolated margin. */
  isolated?: Record<string, boolean>
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
  trigger?: Trigger
  /** Who is paid a part of each execution; the fee is in tenths of a basis point. */
  builder?: { address: string; fee: number }
}

/** Condition under which an order goes to the book. */
export interface Trigger {
  px: string
  /** True: the order is a market order from then on, within its limit price. */
  isMarket: boolean
  kind: 'tp' | 'sl'
  /** Closes the whole position, whatever its size is then. */
  isPosition: boolean
  /** Of an order that waits for the execution of another: number of that order. */
  parent: number | null
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
  feeToken: string
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

/** A token other than USDC in spot. */
export interface TokenBalance {
  total: string
  /** What was paid for it, in USDC. */
  entryNtl: string
}

export interface Account {
  /** USDC in spot; of a unified account without the margin of its positions, which lies on their dexes. */
  spot: string
  tokens?: Record<string, TokenBalance>
  mode: Mode
  /** USDC that lay in spot when the account became unified. */
  spotBefore?: string
  dexes: Record<string, DexAccount>
  builders: Record<string, number>
  orders: Order[]
  fills: Fill[]
  ledger: Row[]
  funding: Row[]
  /** Traded notional; each dollar earns one request beside the first 10,000. */
  traded: string
  requests: number
  /** Traded notional by UTC day. */
  days?: Record<string, { cross: string; add: string }>
  /** When all open orders are cancelled; null for never. */
  cancelAt?: number | null
  /** UTC days with how often a scheduled cancel happened. */
  cancels?: Record<string, number>
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
  /** Notional of all trades by UTC day, each side of a trade once. */
  days?: Record<string, string>
  /** Executions are listed so long after they happened. */
  fillsLateMs?: number
  /** True: the size of a listed order stays what it was when the order was placed. */
  staleSizes?: boolean
  /** True: USDC of an account that is unified no more stays in spot. */
  staysInSpot?: boolean
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
