import type { TradingInstance } from '#listings/store/tokens.ts'
import type { Wallets } from '#venues/rules/transfers.ts'
import type { ListedMarket, PublishedContract, Quote } from '#venues/rules/venue.ts'
import type { DeeperBooks } from './rules/deeper-books.ts'
import { isDollar, type UsdRates } from './rules/usd-rates.ts'

/** Spread and depth of a book. */
export interface MeasuredBook {
  readonly spreadBps: number
  /** Twice the weaker side within 2 % of the mid; null if the rate of the quote currency is unknown, or a deeper book has it. */
  readonly depthUsd: number | null
  /** True if the levels end within the band, so that the depth is a lower bound. */
  readonly truncated: boolean
}

/** Conditions of a venue for an order. */
export type MarketTerms = Pick<ListedMarket, 'takerFee' | 'amountStep' | 'costMin'>

/** Terms, wallet states and contracts of a list that were stored for other processes. */
export interface KeptTerms {
  readonly listedAt: Date
  readonly terms: ReadonlyMap<string, MarketTerms>
  readonly wallets: Wallets | null
  readonly contracts: VenueState['contracts']
  readonly packed: Buffer
}

/**
 * State of a venue that the jobs of one process share; the next process rebuilds it from the store. What jobs over all
 * venues read of it must be stored by `venue-states.ts`: another process may read the venue.
 */
export interface VenueState {
  /** Trading instances by symbol, of the last market list. */
  instances: ReadonlyMap<string, TradingInstance>
  /** Last accepted list and next try, by the service's clock, milliseconds. */
  listedAt: number | null
  nextListAt: number
  /** Next reading of flags and currencies. */
  nextNoticesAt: number
  /** First and last observed minute, and the next try, milliseconds. */
  firstMinute: number | null
  minute: number | null
  nextObserveAt: number
  /** Hash of the last accepted quotes. */
  quotesPrint: string
  /** Pairs in the last accepted answer, and consecutive answers that were too short. */
  quotesCount: number
  shortAnswers: number
  venueTime: number | null
  /** Dollars per unit, and the minute of the quotes they follow from, milliseconds. */
  rates: UsdRates
  ratesAt: number | null
  /** Last accepted quotes, and fees and steps of the last accepted list, by symbol. */
  quotes: ReadonlyMap<string, Quote>
  terms: ReadonlyMap<string, MarketTerms>
  /** Terms and wallet states as they are stored; null before. */
  kept: KeptTerms | null
  /** Last wallet states; null if unknown. */
  wallets: Wallets | null
  /** Contracts by currency, as the venue published them last. */
  contracts: ReadonlyMap<string, readonly PublishedContract[]>
  /** Books measured since the last observation, by instance. */
  readonly books: Map<number, MeasuredBook>
  /** Books of the last observed minute, by instance. */
  readonly minuteBooks: Map<number, MeasuredBook>
  /** Time of the last book call, by instance; the oldest is due first. */
  readonly askedAt: Map<number, number>
  nextRotateAt: number
  /** Pairs whose usual book ends inside 2 % of the mid, by instance. */
  readonly deeper: Map<number, DeeperBooks>
  /** Last scan of each target, milliseconds, by instance. */
  readonly scannedAt: Map<number, number>
  nextDeeperAt: number
  nextCandlesAt: number
  /** Instances whose candles could not be read, with the time of the next try. */
  readonly candlesFailed: Map<number, number>
  /** Whether the venue's last book was synthesised by a replay. */
  booksSynthetic: boolean
}

const fresh = (): VenueState => ({
  instances: new Map(),
  listedAt: null,
  nextListAt: 0,
  nextNoticesAt: 0,
  firstMinute: null,
  minute: null,
  nextObserveAt: 0,
  quotesPrint: '',
  quotesCount: 0,
  shortAnswers: 0,
  venueTime: null,
  rates: new Map(),
  ratesAt: null,
  quotes: new Map(),
  terms: new Map(),
  kept: null,
  wallets: null,
  contracts: new Map(),
  books: new Map(),
  minuteBooks: new Map(),
  askedAt: new Map(),
  nextRotateAt: 0,
  deeper: new Map(),
  scannedAt: new Map(),
  nextDeeperAt: 0,
  nextCandlesAt: 0,
  candlesFailed: new Map(),
  booksSynthetic: false,
})

/** States by exchange, created on first use. */
export interface MarketState {
  /** Exchanges whose states this process made by reading them, also if it does not read them just now. */
  readonly held: Set<string>
  /** When the rates of other processes' venues were read, milliseconds. */
  mirroredAt: number
  /** Forgets the state of an exchange. */
  drop(exchange: string): void
  of(exchange: string): VenueState
  /** Returns dollars per unit of a currency, from the venue's pairs or else from another venue; null if unknown for an hour. A dollar coin is 1. */
  usdRate(exchange: string, currency: string): number | null
  /** Returns the same from another venue only. */
  usdRateElsewhere(exchange: string, currency: string): number | null
}

/** An older rate is unknown. Currencies change little within this time. */
const RATE_MS_MAX = 60 * 60_000

export function marketState(now: () => number): MarketState {
  const states = new Map<string, VenueState>()
  const of = (exchange: string) => {
    const known = states.get(exchange)
    if (known !== undefined) return known
    const made = fresh()
    states.set(exchange, made)
    return made
  }
  const held = new Set<string>()
  const rateAt = ({ rates, ratesAt }: VenueState, currency: string) =>
    ratesAt !== null && now() - ratesAt <= RATE_MS_MAX ? rates.get(currency) : undefined
  const elsewhere = (exchange: string, currency: string) => {
    for (const [id, state] of states) {
      const rate = id === exchange ? undefined : rateAt(state, currency)
      if (rate !== undefined) return rate
    }
    return null
  }
  return {
    held,
    mirroredAt: -Infinity,
    drop: (exchange) => {
      held.delete(exchange)
      states.delete(exchange)
    },
    of,
    usdRate: (exchange, currency) =>
      rateAt(of(exchange), currency) ?? (isDollar(currency) ? 1 : elsewhere(exchange, currency)),
    usdRateElsewhere: elsewhere,
  }
}
