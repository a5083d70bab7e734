import { marketData } from '@svc/contracts/market-data'
import { ARBITRAGE_MAX } from '@svc/contracts/market-data/arbitrage'
import { emit } from '@svc/postgres'
import type { Job } from '@svc/service'
import { feedItemOfMulti, feedItemOfTwo, multiOf, pairOf, reelOf, type Read, type Seen } from '../arbitrage-view.ts'
import type { Context } from '#context.ts'
import { bookCandidates, tickerEdges, type TickerEdge } from '../rules/arbitrage-candidates.ts'
import { matchBooks, matchPairs } from '../rules/arbitrage.ts'
import { reviewed, type AssetInstance } from '#assets/rules/asset-claims.ts'
import { groupSameAssets, type AssetConflict } from '#assets/rules/asset-identity.ts'
import type { VenueBook } from '../rules/lot-ladder.ts'
import { isDollar } from '#markets/rules/usd-rates.ts'
import type { Book } from '#venues/rules/venue.ts'
import { alertsAt } from '#crisis/alerts.ts'
import { insertPass, newestPass, type Conflict, type Pass, type PassResult } from '../store/arbitrage.ts'
import { watchedTokens, type WatchedToken } from '#crisis/store/crisis.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'pool' | 'clock' | 'venues' | 'market' | 'errors'>

const MINUTE_MS = 60_000
/** Longest wait in a minute for venues whose prices are missing. */
const WAIT_MS = 20_000
const CANDIDATES_MAX = marketData.jobs.matchArbitrage.max
const FEED_MAX = 20

/** Once a minute: groups same assets, reads the books of the most promising ones, matches them and publishes the result. */
export const matchArbitrage =
  (context: Parts): Job =>
  async (signal) => {
    const { pool, clock, market, venues } = context
    if (venues.size < 2) return { done: 0 }
    const now = clock.now().getTime()
    const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS
    const observed = [...venues.keys()].every((exchange) => market.of(exchange).minute === minute)
    if (!observed && now - minute < WAIT_MS) return { done: 0, nextAt: new Date(minute + WAIT_MS) }
    const nextAt = new Date(minute + MINUTE_MS)
    const previous = await newestPass(pool)
    if (previous !== null && Date.parse(previous.minute) >= minute) return { done: 0, nextAt }
    const { result, conflicts } = await onePass(context, previous, minute, signal)
    const computedAt = clock.now()
    const stored = await pool.transaction(async (tx) => {
      if (!(await insertPass(tx, { minute: new Date(minute), computedAt, result, conflicts }))) return false
      const at = computedAt.toISOString()
      const tell = (feed_key: 'arbitrage_2cex' | 'arbitrage_3cex', items: unknown[]) =>
        emit(tx, marketData.events.feedItemMade, { feed_key, at, data: { computed_at: at, items } })
      await tell('arbitrage_2cex', result.two.slice(0, FEED_MAX).map(feedItemOfTwo))
      await tell('arbitrage_3cex', result.multi.slice(0, FEED_MAX).map(feedItemOfMulti))
      return true
    })
    return { done: stored ? result.two.length + result.multi.length : 0, nextAt }
  }

async function onePass(
  context: Parts,
  previous: Pass | null,
  minute: number,
  signal: AbortSignal,
): Promise<{ readonly result: PassResult; readonly conflicts: readonly Conflict[] }> {
  const { pool, market } = context
  const tokens = (await watchedTokens(pool)).filter((one) => one.trading === 'trading')
  const byId = new Map(tokens.map((one) => [String(one.instance_id), one]))
  const { groups, conflicts } = groupSameAssets(tokens.map((token) => instanceOf(context, token)))
  const edges = tickerEdges(groups, (id) => {
    const token = byId.get(id)
    const quote = token && market.of(token.exchange).quotes.get(token.symbol)
    const terms = token && market.of(token.exchange).terms.get(token.symbol)
    return token && quote && { symbol: token.symbol, bid: quote.bid, ask: quote.ask, takerFee: terms?.takerFee ?? null }
  })
  const books = await readBooks(context, bookCandidates(edges, CANDIDATES_MAX), byId, signal)
  const nowMs = context.clock.now().getTime()
  const seen: Seen = { minute, previous, alerts: await alertsAt(pool, new Date(nowMs)) }
  const found = books.map((read) => ({
    read,
    best: matchPairs(read.books, nowMs, read.usd)[0],
    whole: read.books.length < 3 ? null : matchBooks(read.books, nowMs, read.usd),
  }))
  const byProfit = <T extends { readonly profit_usd: number }>(items: readonly T[], max: number) =>
    items.toSorted((a, b) => b.profit_usd - a.profit_usd).slice(0, max)
  const result: PassResult = {
    two: byProfit(
      found.flatMap(({ read, best }) => (best ? [pairOf(read, best, seen)] : [])),
      ARBITRAGE_MAX.two,
    ),
    multi: byProfit(
      found.flatMap(({ read, whole }) =>
        whole?.opportunity ? [multiOf(read, whole.opportunity, whole, nowMs, seen)] : [],
      ),
      ARBITRAGE_MAX.multi,
    ),
    reel: edges.slice(0, ARBITRAGE_MAX.reel).map((edge) => reelOf(edge, seen)),
    conflicts_total: conflicts.length,
  }
  return { result, conflicts: conflicts.slice(0, ARBITRAGE_MAX.conflicts).map((one) => conflictOf(one, byId, seen)) }
}

function instanceOf({ market }: Parts, token: WatchedToken): AssetInstance {
  const { exchange, symbol, base, quote, name, chain, address } = token
  const published = market.of(exchange).contracts.get(base) ?? []
  const seen = market.of(exchange).quotes.get(symbol)
  const price = seen?.bid != null && seen.ask != null ? (seen.bid + seen.ask) / 2 : (seen?.last ?? null)
  const usd = market.usdRate(exchange, quote) ?? (isDollar(quote) ? 1 : null)
  return {
    id: String(token.instance_id),
    exchange,
    base,
    quote,
    name,
    priceUsd: price === null || usd === null ? null : price * usd,
    contracts: [...reviewed(chain, address), ...published.map((one) => ({ ...one, approved: false }))],
  }
}

/** Reads the books of all members of each candidate concurrently, so that they are of the same moment. */
async function readBooks(
  context: Parts,
  candidates: readonly TickerEdge[],
  byId: ReadonlyMap<string, WatchedToken>,
  signal: AbortSignal,
): Promise<Read[]> {
  const groups = await Promise.all(
    candidates.map(async ({ group }): Promise<Read[]> => {
      const members = group.members.flatMap(({ id }) => byId.get(id) ?? [])
      const { exchange, quote } = members[0] ?? { exchange: '', quote: '' }
      const usd = context.market.usdRate(exchange, quote) ?? (isDollar(quote) ? 1 : null)
      if (usd === null) return []
      const books = await Promise.all(members.map((token) => readBook(context, token, signal)))
      const wallets = members.flatMap((one) => {
        const told = context.market.of(one.exchange).wallets?.get(one.base)
        return told === undefined ? [] : [[one.exchange, told] as const]
      })
      const symbols = new Map(members.map((one) => [one.exchange, one.symbol]))
      return [{ group, books: books.flat(), usd, symbols, wallets: new Map(wallets) }]
    }),
  )
  return groups.flat()
}

/** Reads one book with its venue's conditions; empty if the book or the fee is unknown. */
async function readBook(
  { venues, market, errors }: Parts,
  token: WatchedToken,
  signal: AbortSignal,
): Promise<VenueBook[]> {
  const terms = market.of(token.exchange).terms.get(token.symbol)
  const adapter = venues.get(token.exchange)?.adapter
  if (adapter === undefined || terms === undefined || terms.takerFee === null) return []
  try {
    const [book] = await adapter.books([token.symbol], { priority: 'rotation', signal })
    if (book === undefined) return []
    const { takerFee, amountStep, costMin } = terms
    const { bids, asks, limit: levelsAsked } = book
    return [{ exchange: token.exchange, atMs: madeAt(book), bids, asks, levelsAsked, takerFee, amountStep, costMin }]
  } catch (error) {
    errors.count(error)
    return []
  }
}

/** Returns when a book was made, by our clock. Its age is measured by the venue's clock, so that clock skew does not age it. */
function madeAt({ at, venueTime, receivedAt }: Book): number {
  if (at === null) return receivedAt
  return venueTime === null ? at : receivedAt - Math.max(0, venueTime - at)
}

function conflictOf(
  { base, quote, reason, members }: AssetConflict,
  byId: ReadonlyMap<string, WatchedToken>,
  { alerts }: Pick<Seen, 'alerts'>,
): Conflict {
  const symbolOf = (id: string) => byId.get(id)?.symbol ?? `${base}/${quote}`
  return {
    asset: base,
    quote,
    reason,
    members: members.slice(0, 20).map((member) => ({
      exchange: member.exchange,
      symbol: symbolOf(member.id),
      ...alerts.ofPair(member.exchange, symbolOf(member.id)),
      name: member.name,
      price_usd: member.priceUsd,
    })),
  }
}
