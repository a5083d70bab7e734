import type { TickerEdge } from './rules/arbitrage-candidates.ts'
import { resultsBySize } from './rules/arbitrage-sizes.ts'
import type { ArbitrageMatch, ArbitrageOpportunity } from './rules/arbitrage.ts'
import type { SameAsset } from '#assets/rules/asset-identity.ts'
import { allTransferable, transferable, type TransferNetwork } from '#venues/rules/transfers.ts'
import type { VenueBook } from './rules/lot-ladder.ts'
import type { Alerts } from '#crisis/alerts.ts'
import type { Pass, PassResult } from './store/arbitrage.ts'

type Two = PassResult['two'][number]
type Multi = PassResult['multi'][number]

/** The pass before, and the open crises. */
export interface Seen {
  readonly minute: number
  readonly previous: Pass | null
  readonly alerts: Alerts
}

/** Longest time between consecutive passes; after a longer gap persistence starts again. */
const ROW_MS = 150_000

/** A candidate with its order books. */
export interface Read {
  readonly group: SameAsset
  readonly books: readonly VenueBook[]
  /** Dollars per unit of the quote currency. */
  readonly usd: number
  /** The pair's symbol at each exchange. */
  readonly symbols: ReadonlyMap<string, string>
  /** Wallet states of the asset by exchange; absent if the exchange publishes none. */
  readonly wallets: ReadonlyMap<string, readonly TransferNetwork[]>
}

const symbolOf =
  ({ group, symbols }: Read) =>
  (exchange: string) =>
    symbols.get(exchange) ?? `${group.base}/${group.quote}`

function common(read: Read, opportunity: ArbitrageOpportunity, { alerts }: Seen) {
  const { group, books, usd, wallets } = read
  const symbolAt = symbolOf(read)
  const legsOf = (side: 'buy' | 'sell') => opportunity.legs.filter((leg) => leg.side === side)
  return {
    ...opportunity,
    asset: group.base,
    quote: group.quote,
    legs: opportunity.legs.map((leg) => ({
      ...leg,
      symbol: symbolAt(leg.exchange),
      ...alerts.ofPair(leg.exchange, symbolAt(leg.exchange)),
    })),
    depth_is_lower_bound: opportunity.legs.some((leg) => takesAllThatWasRead(leg, books)),
    sizes: resultsBySize(opportunity, books, usd),
    identity: [...group.basis],
    evidence: [...group.evidence],
    transferable: allTransferable(
      legsOf('buy').flatMap((from) =>
        legsOf('sell').map((to) => transferable(wallets.get(from.exchange), wallets.get(to.exchange))),
      ),
    ),
  }
}

/** Returns whether a leg reaches the last level of a side that the venue may have cut. */
function takesAllThatWasRead(
  { exchange, side, limit_price }: ArbitrageOpportunity['legs'][number],
  books: readonly VenueBook[],
): boolean {
  const book = books.find((one) => one.exchange === exchange)
  const levels = side === 'buy' ? book?.asks : book?.bids
  return (
    book !== undefined &&
    levels !== undefined &&
    levels.length >= book.levelsAsked &&
    levels.at(-1)?.[0] === limit_price
  )
}

/** Returns the number of consecutive passes with the same opportunity. */
function persistence(
  { minute, previous }: Seen,
  before: { readonly persistence: Two['persistence'] } | undefined,
): Two['persistence'] {
  const row = previous !== null && minute - Date.parse(previous.minute) <= ROW_MS
  if (!row || before === undefined) return { scans: 1, since: new Date(minute).toISOString() }
  return { scans: before.persistence.scans + 1, since: before.persistence.since }
}

/** Returns an opportunity between two venues in the form of the answer. */
export function pairOf(read: Read, opportunity: ArbitrageOpportunity, seen: Seen): Two {
  const { group } = read
  const venueOf = (side: 'buy' | 'sell') => opportunity.legs.find((leg) => leg.side === side)?.exchange ?? ''
  const [buy, sell] = [venueOf('buy'), venueOf('sell')]
  const before = seen.previous?.result.two.find(
    (one) => one.asset === group.base && one.quote === group.quote && one.buy === buy && one.sell === sell,
  )
  return { ...common(read, opportunity, seen), buy, sell, persistence: persistence(seen, before) }
}

/** Returns a match over all books of an asset in the form of the answer, with every book that was read. */
export function multiOf(
  read: Read,
  opportunity: ArbitrageOpportunity,
  { rejected }: Pick<ArbitrageMatch, 'rejected'>,
  nowMs: number,
  seen: Seen,
): Multi {
  const { group, books } = read
  const before = seen.previous?.result.multi.find((one) => one.asset === group.base && one.quote === group.quote)
  const reasons = new Map(rejected.map(({ exchange, reason }) => [exchange, reason]))
  return {
    ...common(read, opportunity, seen),
    persistence: persistence(seen, before),
    venues: books.map((book) => ({
      exchange: book.exchange,
      symbol: symbolOf(read)(book.exchange),
      ...seen.alerts.ofPair(book.exchange, symbolOf(read)(book.exchange)),
      bid: book.bids[0]?.[0] ?? null,
      ask: book.asks[0]?.[0] ?? null,
      taker_fee: book.takerFee,
      book_age_ms: nowMs - book.atMs,
      rejected: reasons.get(book.exchange) ?? null,
    })),
  }
}

/** Returns a difference of tickers in the form of the answer. */
export const reelOf = (
  { group, buy, sell, spreadBps, netBps }: TickerEdge,
  { alerts }: Pick<Seen, 'alerts'>,
): PassResult['reel'][number] => ({
  asset: group.base,
  quote: group.quote,
  buy: { ...buy, ...alerts.ofPair(buy.exchange, buy.symbol) },
  sell: { ...sell, ...alerts.ofPair(sell.exchange, sell.symbol) },
  spread_bps: spreadBps,
  net_bps: netBps,
  venues: new Set(group.members.map((member) => member.exchange)).size,
  identity: [...group.basis],
  evidence: [...group.evidence],
})

/** Returns an opportunity in the form of the feed `arbitrage_2cex`. */
export function feedItemOfTwo(item: Two) {
  const { asset, gross_bps, net_bps, size_usd, profit_usd, depth_is_lower_bound, buy, sell, legs } = item
  const leg = (exchange: string) => {
    const own = legs.find((one) => one.exchange === exchange)
    return { exchange, symbol: own?.symbol ?? '', alerts: own?.alerts ?? null }
  }
  return {
    asset,
    gross_bps,
    net_bps,
    executable_usd: size_usd,
    depth_is_lower_bound,
    profit_usd,
    buy: leg(buy),
    sell: leg(sell),
  }
}

/** Returns a match in the form of the feed `arbitrage_3cex`. */
export function feedItemOfMulti({ asset, net_bps, size_usd, profit_usd, depth_is_lower_bound, legs }: Multi) {
  return {
    asset,
    net_bps,
    executable_usd: size_usd,
    depth_is_lower_bound,
    profit_usd,
    legs: legs.slice(0, 20).map(({ exchange, symbol, side, alerts }) => ({ exchange, symbol, side, alerts })),
  }
}
