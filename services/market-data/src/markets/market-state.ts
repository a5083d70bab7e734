import type { TradingInstance } from '#listings/store/tokens.ts'
import type { Wallets } from '#venues/rules/transfers.ts'
import type { ListedMarket, Quote } from '#venues/rules/venue.ts'
import type { UsdRates } from './rules/usd-rates.ts'

/** What counts of a book. */
export interface MeasuredBook {
  readonly spreadBps: number
  /** Twice the weaker side within 2 % of the mid; null without a rate of the quote currency. */
  readonly depthUsd: number | null
  /** The levels read end within the band: the depth is a lower bound. */
  readonly truncated: boolean
}

/** What a venue asks of an order. */
export type MarketTerms = Pick<ListedMarket, 'takerFee' | 'amountStep' | 'costMin'>

/** What one process remembers of a venue between its jobs; nothing of it has to survive the process. */
export interface VenueState {
  /** Trading instances by symbol, of the last market list. */
  instances: ReadonlyMap<string, TradingInstance>
  /** By the service's clock, milliseconds: last accepted list, and the next try. */
  listedAt: number | null
  nextListAt: number
  /** First and last minute that was observed, and the next try. */
  firstMinute: number | null
  minute: number | null
  nextObserveAt: number
  /** What the last accepted quotes looked like, and the venue's time of them. */
  quotesPrint: string
  /** Pairs in the last accepted answer, and answers in a row that were too short. */
  quotesCount: number
  shortAnswers: number
  venueTime: number | null
  rates: UsdRates
  /** Last accepted quotes, and fees and steps of the last accepted list, by symbol. */
  quotes: ReadonlyMap<string, Quote>
  terms: ReadonlyMap<string, MarketTerms>
  /** Which wallets are open, as last told; null when unknown. */
  wallets: Wallets | null
  /** Books measured since the last observation, by instance. */
  readonly books: Map<number, MeasuredBook>
  /** Those that went into the last observed minute. */
  readonly minuteBooks: Map<number, MeasuredBook>
  /** When each instance's book was asked for last; the oldest comes next. */
  readonly askedAt: Map<number, number>
  nextRotateAt: number
  nextCandlesAt: number
  /** Instances whose candles could not be read, and until when they are left alone. */
  readonly candlesFailed: Map<number, number>
  /** Whether the venue's books are made up, as the last one said. */
  booksSynthetic: boolean
}

const fresh = (): VenueState => ({
  instances: new Map(),
  listedAt: null,
  nextListAt: 0,
  firstMinute: null,
  minute: null,
  nextObserveAt: 0,
  quotesPrint: '',
  quotesCount: 0,
  shortAnswers: 0,
  venueTime: null,
  rates: new Map(),
  quotes: new Map(),
  terms: new Map(),
  wallets: null,
  books: new Map(),
  minuteBooks: new Map(),
  askedAt: new Map(),
  nextRotateAt: 0,
  nextCandlesAt: 0,
  candlesFailed: new Map(),
  booksSynthetic: false,
})

/** States by exchange; made when first asked for. */
export interface MarketState {
  of(exchange: string): VenueState
  /** Dollars for a unit of a currency: by the venue's own pairs, else by those of another one; null when unknown. */
  usdRate(exchange: string, currency: string): number | null
}

export function marketState(): MarketState {
  const states = new Map<string, VenueState>()
  const of = (exchange: string) => {
    const known = states.get(exchange)
    if (known !== undefined) return known
    const made = fresh()
    states.set(exchange, made)
    return made
  }
  return {
    of,
    usdRate: (exchange, currency) => {
      const own = of(exchange).rates.get(currency)
      if (own !== undefined) return own
      for (const state of states.values()) {
        const rate = state.rates.get(currency)
        if (rate !== undefined) return rate
      }
      return null
    },
  }
}
