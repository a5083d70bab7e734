import type { Mic } from './exchanges.ts'

/** The market whose price a perpetual follows. */
export interface Underlying {
  readonly exchange: Mic
  readonly kind: 'index' | 'stock'
}

const of = (exchange: Mic, kind: Underlying['kind'], names: string): [string, Underlying][] =>
  names.split(' ').map((name): [string, Underlying] => [`xyz:${name}`, { exchange, kind }])

/** Coins of the venue. A coin of this list need not be listed there. */
const underlyings: ReadonlyMap<string, Underlying> = new Map([
  ...of('XCME', 'index', 'XYZ100 SP500'),
  ...of('XKRX', 'index', 'KR200'),
  ...of('XTKS', 'index', 'JP225'),
  ...of('XHKG', 'index', 'HK50'),
  ...of('XLON', 'index', 'UK100'),
  ...of('XNAS', 'stock', 'AAPL AMD AMZN COIN COST GOOGL HOOD INTC META'),
  ...of('XNAS', 'stock', 'MSFT MSTR MU NFLX NVDA PLTR RIVN SNDK TSLA'),
  ...of('XNYS', 'stock', 'BABA CRCL GME LLY ORCL TSM'),
  ...of('XKRX', 'stock', 'HYUNDAI SKHX SMSN'),
])

/**
 * Returns what a market of the venue follows, by its coin (`xyz:TSLA`) or market id (`hl:xyz:TSLA`). Returns null for
 * crypto and for every other coin without an exchange here: they have no hours.
 */
export function underlyingOf(coinOrMarketId: string): Underlying | null {
  const coin = coinOrMarketId.startsWith('hl:') ? coinOrMarketId.slice(3) : coinOrMarketId
  return underlyings.get(coin) ?? null
}

/** Returns the coins that follow an exchange, as the venue names them. */
export const coinsOf = (exchange: Mic): readonly string[] =>
  [...underlyings].flatMap(([coin, underlying]) => (underlying.exchange === exchange ? [coin] : []))
