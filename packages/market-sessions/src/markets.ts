import type { Mic } from './exchanges.ts'

/** The market whose price a perpetual follows. */
export interface Underlying {
  readonly exchange: Mic
  readonly kind: 'index' | 'stock'
}

/** Coins of the venue by the exchange that they follow. A coin of this list need not be listed at the venue. */
const INDICES: Readonly<Partial<Record<Mic, readonly string[]>>> = {
  XCME: ['xyz:XYZ100', 'xyz:SP500'],
  XKRX: ['xyz:KR200'],
  XTKS: ['xyz:JP225'],
  XHKG: ['xyz:HK50'],
  XLON: ['xyz:UK100'],
}
const STOCKS: Readonly<Partial<Record<Mic, readonly string[]>>> = {
  XNAS: [
    ...['xyz:AAPL', 'xyz:AMD', 'xyz:AMZN', 'xyz:COIN', 'xyz:COST', 'xyz:GOOGL', 'xyz:HOOD', 'xyz:INTC', 'xyz:META'],
    ...['xyz:MSFT', 'xyz:MSTR', 'xyz:MU', 'xyz:NFLX', 'xyz:NVDA', 'xyz:PLTR', 'xyz:RIVN', 'xyz:SNDK', 'xyz:TSLA'],
  ],
  XNYS: ['xyz:BABA', 'xyz:CRCL', 'xyz:GME', 'xyz:LLY', 'xyz:ORCL', 'xyz:TSM'],
  XKRX: ['xyz:HYUNDAI', 'xyz:SKHX', 'xyz:SMSN'],
}

const listing = (coins: typeof INDICES, kind: Underlying['kind']): [string, Underlying][] =>
  Object.entries(coins).flatMap(([exchange, names]) =>
    names.map((coin): [string, Underlying] => [coin, { exchange: exchange as Mic, kind }]),
  )
const underlyings: ReadonlyMap<string, Underlying> = new Map([
  ...listing(INDICES, 'index'),
  ...listing(STOCKS, 'stock'),
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
export const coinsOf = (exchange: Mic): readonly string[] => [...(INDICES[exchange] ?? []), ...(STOCKS[exchange] ?? [])]
