import { decimalText, toUnits, UNIT } from './decimal-units.ts'
import { commonLot, crossLadders, lotLevels, competitiveBooks, type LotFill, type VenueBook } from './lot-ladder.ts'

export type BookRejection = 'stale' | 'skew' | 'crossed' | 'one_sided'
export type NoOpportunity = 'too_few_books' | 'no_edge' | 'below_lot' | 'below_min_notional'

/** The trade at one venue. Decimal texts are exact; `vwap` is an average. */
export interface ArbitrageLeg {
  readonly exchange: string
  readonly side: 'buy' | 'sell'
  readonly qty: string
  /** In the quote currency, before the fee. */
  readonly notional: string
  readonly vwap: number
  /** Worst price of the leg, which is the limit of its order. */
  readonly limit_price: number
  readonly taker_fee: number
  readonly book_age_ms: number
}

export interface ArbitrageOpportunity {
  /** Buys first, best price first. */
  readonly legs: readonly ArbitrageLeg[]
  readonly qty: string
  /** Paid and received in the quote currency, including fees; the difference is the profit. All exact. */
  readonly cost: string
  readonly proceeds: string
  readonly profit: string
  /** Best bid over best ask of the books used, before fees, without regard to size. */
  readonly gross_bps: number
  /** Profit divided by cost of the whole quantity. */
  readonly net_bps: number
  readonly size_usd: number
  readonly profit_usd: number
  readonly oldest_book_age_ms: number
  readonly skew_ms: number
}

export interface ArbitrageMatch {
  readonly opportunity: ArbitrageOpportunity | null
  readonly reason: NoOpportunity | null
  readonly rejected: readonly { readonly exchange: string; readonly reason: BookRejection }[]
}

export const BOOK_AGE_MAX_MS = 10_000
export const BOOK_SKEW_MAX_MS = 5000

/**
 * Finds the most profitable trade over two or more books: buys the cheapest lots and sells at the highest prices while each
 * pair of lots earns after taker fees. A lot is the smallest amount that is a whole number of steps at every venue that can
 * take part, so the result is executable; because costs are linear, no other choice of whole lots earns more. Books that are
 * older than 10 s, differ from the newest by more than 5 s, are crossed or one-sided are rejected. A venue whose order would
 * be below its minimum notional is left out: with two venues the match ends, with more the rest is matched again, and the
 * result is not proven optimal.
 */
export function matchBooks(books: readonly VenueBook[], nowMs: number, quoteUsd: number): ArbitrageMatch {
  // A clock that is ahead must not make all other books look late.
  const newestMs = Math.max(...books.map(({ atMs }) => Math.min(atMs, nowMs)))
  const judged = books.map((book) => ({ book, reason: rejectionOf(book, nowMs, newestMs) }))
  const rejected = judged.flatMap(({ book, reason }) => (reason === null ? [] : [{ exchange: book.exchange, reason }]))
  const usable = judged.flatMap(({ book, reason }) => (reason === null ? [book] : []))
  const none = (reason: NoOpportunity): ArbitrageMatch => ({ opportunity: null, reason, rejected })
  if (usable.length < 2) return none('too_few_books')
  const competing = competitiveBooks(usable)
  if (competing.length === 0) return none('no_edge')
  const lot = commonLot(competing)
  let asks = competing.flatMap((book) => lotLevels(book, 'buy', lot))
  let bids = competing.flatMap((book) => lotLevels(book, 'sell', lot))
  // Each round drops one side of a venue, so there are at most two rounds per venue.
  for (let reason: NoOpportunity = 'below_lot'; ; reason = 'below_min_notional') {
    const fills = crossLadders(asks, bids)
    if (fills.length === 0) return none(reason)
    const small = fills.filter(isBelowMinimum)
    if (small.length === 0) return { opportunity: describe(fills, lot, nowMs, quoteUsd), reason: null, rejected }
    const isSmall = (side: LotFill['side']) => (level: { readonly book: VenueBook }) =>
      small.some((fill) => fill.side === side && fill.book === level.book)
    asks = asks.filter((level) => !isSmall('buy')(level))
    bids = bids.filter((level) => !isSmall('sell')(level))
  }
}

/** Matches each pair of books separately and returns the profitable ones, highest profit first. */
export function matchPairs(books: readonly VenueBook[], nowMs: number, quoteUsd: number): ArbitrageOpportunity[] {
  const found = books.flatMap((first, index) =>
    books.slice(index + 1).flatMap((second) => matchBooks([first, second], nowMs, quoteUsd).opportunity ?? []),
  )
  return found.toSorted((a, b) => b.profit_usd - a.profit_usd)
}

function rejectionOf(
  { bids: [bid], asks: [ask], atMs }: VenueBook,
  nowMs: number,
  newestMs: number,
): BookRejection | null {
  if (nowMs - atMs > BOOK_AGE_MAX_MS) return 'stale'
  if (Math.abs(newestMs - atMs) > BOOK_SKEW_MAX_MS) return 'skew'
  if (bid === undefined || ask === undefined) return 'one_sided'
  return bid[0] >= ask[0] ? 'crossed' : null
}

function isBelowMinimum({ book, notional }: LotFill): boolean {
  const least = book.costMin === null ? null : toUnits(book.costMin)
  return least !== null && notional < least * UNIT
}

function describe(fills: readonly LotFill[], lot: bigint, nowMs: number, quoteUsd: number): ArbitrageOpportunity {
  const buys = fills.filter(({ side }) => side === 'buy')
  const sells = fills.filter(({ side }) => side === 'sell')
  const sum = (of: readonly LotFill[], part: 'lots' | 'net') => of.reduce((total, fill) => total + fill[part], 0n)
  const [cost, proceeds] = [sum(buys, 'net'), sum(sells, 'net')]
  const bestAsk = Math.min(...buys.map(({ book }) => book.asks[0]?.[0] ?? Infinity))
  const bestBid = Math.max(...sells.map(({ book }) => book.bids[0]?.[0] ?? 0))
  const times = fills.map(({ book }) => book.atMs)
  const text = (net: bigint) => decimalText(net, 54)
  return {
    legs: [...buys, ...sells].map((fill) => legOf(fill, lot, nowMs)),
    qty: decimalText(sum(buys, 'lots') * lot, 18),
    cost: text(cost),
    proceeds: text(proceeds),
    profit: text(proceeds - cost),
    gross_bps: (bestBid / bestAsk - 1) * 10_000,
    net_bps: (Number(text(proceeds - cost)) / Number(text(cost))) * 10_000,
    size_usd: Number(text(cost)) * quoteUsd,
    profit_usd: Number(text(proceeds - cost)) * quoteUsd,
    oldest_book_age_ms: nowMs - Math.min(...times),
    skew_ms: Math.max(...times) - Math.min(...times),
  }
}

function legOf({ book, side, lots, notional, limitPrice }: LotFill, lot: bigint, nowMs: number): ArbitrageLeg {
  const [qty, total] = [decimalText(lots * lot, 18), decimalText(notional, 36)]
  return {
    exchange: book.exchange,
    side,
    qty,
    notional: total,
    vwap: Number(total) / Number(qty),
    limit_price: limitPrice,
    taker_fee: book.takerFee,
    book_age_ms: nowMs - book.atMs,
  }
}
