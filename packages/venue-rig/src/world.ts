import { type Dex, type MarginTier, type Market, num, type State, text } from './state.ts'

/** What a refill makes of a market's ladder: `levels` a side, each `step` further away, with equal sizes. */
export function refill(market: Market): void {
  const { spread, step, size, levels } = market.ladder
  const decimals = Math.max(0, Math.min(6 - market.sizeDecimals, 4 - num(market.mark).e))
  const side = (sign: 1 | -1) =>
    Array.from({ length: levels }, (_, level) => ({
      px: text(
        num(market.mark).times(num(1).plus(num(spread).div(2).plus(num(step).times(level)).times(sign))),
        decimals,
      ),
      sz: size,
    }))
  market.bids = side(-1)
  market.asks = side(1)
}

interface Listing {
  readonly name: string
  readonly sizeDecimals: number
  readonly maxLeverage: number
  readonly price: string
  /** Size of each level. */
  readonly size: string
  readonly volume: string
  /** Number and higher tiers of its margin table, for a market that has more than one. */
  readonly table?: { readonly id: number; readonly above: readonly MarginTier[] } | undefined
  readonly marginMode?: Market['marginMode'] | undefined
}

/** A market whose book refills around its mark: 2 basis points of spread, 20 levels of 3 basis points. */
export function marketFrom(listing: Listing): Market {
  const { name, sizeDecimals, maxLeverage, price, size, volume } = listing
  const market: Market = {
    name,
    sizeDecimals,
    maxLeverage,
    marginTableId: listing.table?.id ?? maxLeverage,
    tiers: [{ lowerBound: '0.0', maxLeverage }, ...(listing.table?.above ?? [])],
    marginMode: listing.marginMode ?? null,
    delisted: false,
    mark: price,
    oracle: price,
    previousDay: price,
    funding: '0.0000125',
    volume,
    bids: [],
    asks: [],
    policy: 'refill',
    ladder: { spread: '0.0002', step: '0.0003', size, levels: 20 },
  }
  refill(market)
  return market
}

/** The venue's tables of markets whose leverage falls with the notional. */
const tiered = (id: number, lowerBound: string, maxLeverage: number) => ({ id, above: [{ lowerBound, maxLeverage }] })

const MAIN: readonly Listing[] = [
  {
    name: 'BTC',
    sizeDecimals: 5,
    maxLeverage: 40,
    price: '60000',
    size: '2',
    volume: '2100000000',
    table: tiered(56, '150000000.0', 20),
  },
  {
    name: 'ETH',
    sizeDecimals: 4,
    maxLeverage: 25,
    price: '3000',
    size: '40',
    volume: '1300000000',
    table: tiered(55, '100000000.0', 15),
  },
  { name: 'OLD', sizeDecimals: 1, maxLeverage: 5, price: '1', size: '100', volume: '0' },
  {
    name: 'SOL',
    sizeDecimals: 2,
    maxLeverage: 20,
    price: '150',
    size: '500',
    volume: '420000000',
    table: tiered(54, '70000000.0', 10),
  },
  {
    name: 'HYPE',
    sizeDecimals: 2,
    maxLeverage: 10,
    price: '32.5',
    size: '900',
    volume: '310000000',
    table: tiered(52, '20000000.0', 5),
  },
  {
    name: 'DOGE',
    sizeDecimals: 0,
    maxLeverage: 10,
    price: '0.1523',
    size: '200000',
    volume: '88000000',
    table: tiered(52, '20000000.0', 5),
  },
]
const XYZ: readonly Listing[] = [
  { name: 'XYZ100', sizeDecimals: 4, maxLeverage: 20, price: '25000', size: '2', volume: '64000000' },
  {
    name: 'TSLA',
    sizeDecimals: 3,
    maxLeverage: 10,
    price: '325.5',
    size: '80',
    volume: '21000000',
    marginMode: 'noCross',
  },
]

/** A dex of a deployer without markets; its fees are twice those of the main one. */
export const dexFrom = (name: string, fullName: string): Dex => ({
  name,
  fullName,
  takerFee: '0.0009',
  makerFee: '0.0003',
  markets: [],
})

/** A network with a main dex of six markets, one of them delisted, and a second dex of two; nobody has money. */
export function newWorld(): State {
  const dexes = [
    { ...dexFrom('', 'main'), takerFee: '0.00045', makerFee: '0.00015', markets: MAIN.map(marketFrom) },
    { ...dexFrom('xyz', 'XYZ'), markets: XYZ.map(marketFrom) },
  ]
  for (const market of dexes[0]?.markets ?? []) market.delisted = market.name === 'OLD'
  return {
    nowMs: Date.now(),
    realClock: true,
    skewMs: 0,
    nextOid: 1_000,
    nextTid: 1,
    dexes,
    accounts: {},
    agents: {},
    usedAgents: [],
    nonces: {},
    removals: {},
    house: { cash: '0', positions: {} },
    fundedUntilMs: Date.now(),
  }
}

/** Completes a state that an earlier version of the rig wrote: what its markets lack is what they have in a new world. */
export function completed(state: State): State {
  const fresh = newWorld()
  for (const dex of state.dexes)
    for (const market of dex.markets) {
      const known = fresh.dexes.find(({ name }) => name === dex.name)?.markets.find(({ name }) => name === market.name)
      const { marginTableId, tiers, marginMode } = known ?? {
        marginTableId: market.maxLeverage,
        tiers: [{ lowerBound: '0.0', maxLeverage: market.maxLeverage }],
        marginMode: null,
      }
      const kept = market as Partial<Market>
      market.marginTableId = kept.marginTableId ?? marginTableId
      market.tiers = kept.tiers ?? tiers
      market.marginMode = kept.marginMode ?? marginMode
    }
  return state
}
