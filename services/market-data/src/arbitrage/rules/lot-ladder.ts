import { greatestCommonDivisor, toUnits, UNIT } from './decimal-units.ts'
import type { Side } from '#venues/rules/venue.ts'

/** A book of one asset at one venue, best price first on each side. All books of a match have the same base and quote. */
export interface VenueBook {
  readonly exchange: string
  /** The venue's time of the book, or the time of receipt if the venue states none. */
  readonly atMs: number
  readonly bids: Side
  readonly asks: Side
  /** Requested levels per side; a side with this many levels may continue. */
  readonly levelsAsked: number
  /** Taker fee as a fraction of the notional. */
  readonly takerFee: number
  /** Smallest step of an amount in base; null allows any. */
  readonly amountStep: number | null
  /** Smallest order in quote; null when unknown. */
  readonly costMin: number | null
}

/**
 * Lots of equal price on one side of one venue. `notional` is per lot, in 10⁻³⁶ quote. `net` includes the fee, in 10⁻⁵⁴
 * quote: the cost of a bought lot or the proceeds of a sold lot.
 */
export interface LotLevel {
  readonly book: VenueBook
  readonly lots: bigint
  readonly notional: bigint
  readonly net: bigint
  /** Worst price of the lot. */
  readonly price: number
}

/** Lots taken at one venue, with totals. */
export interface LotFill {
  readonly book: VenueBook
  readonly side: 'buy' | 'sell'
  readonly lots: bigint
  readonly notional: bigint
  readonly net: bigint
  readonly limitPrice: number
}

/**
 * Returns the books that can take part: their best ask is below the best bid of another book, or their best bid above the
 * best ask of another book, after fees. Empty if no profit is possible. Exact, and cheap enough for a first test.
 */
export function competitiveBooks(books: readonly VenueBook[]): VenueBook[] {
  const tops = books.map((book) => ({ book, ask: netPrice(book, 'buy'), bid: netPrice(book, 'sell') }))
  return tops
    .filter(({ ask, bid }) =>
      tops.some(
        (other) =>
          (ask !== null && other.bid !== null && other.bid > ask) ||
          (bid !== null && other.ask !== null && bid > other.ask),
      ),
    )
    .map(({ book }) => book)
}

function netPrice(book: VenueBook, side: 'buy' | 'sell'): bigint | null {
  const [price, fee] = [toUnits((side === 'buy' ? book.asks : book.bids)[0]?.[0] ?? NaN), toUnits(book.takerFee)]
  return price === null || fee === null ? null : price * feeFactor(fee, side)
}

const feeFactor = (fee: bigint, side: 'buy' | 'sell') => (side === 'buy' ? UNIT + fee : UNIT - fee)

/** Returns the smallest amount, in 10⁻¹⁸ of the base, that is a whole number of steps at every venue. */
export function commonLot(books: readonly VenueBook[]): bigint {
  let lot = 1n
  for (const { amountStep } of books) {
    const step = (amountStep === null ? null : toUnits(amountStep)) ?? 1n
    if (step > 0n) lot = (lot / greatestCommonDivisor(lot, step)) * step
  }
  return lot
}

/**
 * Cuts one side of a book into whole lots, best first: whole lots within a level, and single lots that span levels, at the
 * sum of their parts. A remainder below a lot is dropped; so is everything after a level that is not a positive number.
 */
export function lotLevels(book: VenueBook, side: 'buy' | 'sell', lot: bigint): LotLevel[] {
  const fee = toUnits(book.takerFee)
  if (fee === null) return []
  const factor = feeFactor(fee, side)
  const levels: LotLevel[] = []
  const push = (lots: bigint, notional: bigint, price: number) =>
    levels.push({ book, lots, notional, net: notional * factor, price })
  let [held, heldNotional] = [0n, 0n]
  for (const [price, amount] of side === 'buy' ? book.asks : book.bids) {
    const [exactPrice, exactAmount] = [toUnits(price), toUnits(amount)]
    if (exactPrice === null || exactAmount === null || exactPrice === 0n) break
    let rest = exactAmount
    if (held > 0n) {
      const part = rest < lot - held ? rest : lot - held
      held += part
      heldNotional += part * exactPrice
      rest -= part
      if (held < lot) continue
      push(1n, heldNotional, price)
    }
    if (rest >= lot) push(rest / lot, lot * exactPrice, price)
    held = rest % lot
    heldNotional = held * exactPrice
  }
  return levels
}

interface Growing {
  lots: bigint
  notional: bigint
  net: bigint
  limitPrice: number
}

/** Matches the cheapest bought lot with the most expensive sold lot while that earns; ties keep the order of the levels. */
export function crossLadders(asks: readonly LotLevel[], bids: readonly LotLevel[]): LotFill[] {
  const cheapest = bestFirst(asks, 'buy')
  const dearest = bestFirst(bids, 'sell')
  const bought = new Map<VenueBook, Growing>()
  const sold = new Map<VenueBook, Growing>()
  let [ask, bid, askUsed, bidUsed] = [0, 0, 0n, 0n]
  for (;;) {
    const [buy, sell] = [cheapest[ask], dearest[bid]]
    if (!buy || !sell || buy.net >= sell.net) break
    const [left, right] = [buy.lots - askUsed, sell.lots - bidUsed]
    const lots = left < right ? left : right
    grow(bought, buy, lots)
    grow(sold, sell, lots)
    askUsed += lots
    bidUsed += lots
    if (askUsed === buy.lots) [ask, askUsed] = [ask + 1, 0n]
    if (bidUsed === sell.lots) [bid, bidUsed] = [bid + 1, 0n]
  }
  const fills = (side: LotFill['side'], of: ReadonlyMap<VenueBook, Growing>): LotFill[] =>
    [...of].map(([book, total]) => ({ book, side, ...total }))
  return [...fills('buy', bought), ...fills('sell', sold)]
}

function grow(fills: Map<VenueBook, Growing>, { book, notional, net, price }: LotLevel, lots: bigint): void {
  const known = fills.get(book) ?? { lots: 0n, notional: 0n, net: 0n, limitPrice: price }
  fills.set(book, {
    lots: known.lots + lots,
    notional: known.notional + lots * notional,
    net: known.net + lots * net,
    limitPrice: price,
  })
}

/** Sorts bought lots by rising and sold lots by falling net price; equal lots keep their order. */
export function bestFirst(levels: readonly LotLevel[], side: 'buy' | 'sell'): LotLevel[] {
  const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)
  return levels.toSorted((a, b) => (side === 'buy' ? compare(a.net, b.net) : compare(b.net, a.net)))
}
