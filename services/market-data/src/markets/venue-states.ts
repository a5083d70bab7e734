import { packLines, unpackLines } from '#compressed-lines.ts'
import type { Context } from '#context.ts'
import { tradingInstances } from '#listings/store/tokens.ts'
import type { TransferNetwork } from '#venues/rules/transfers.ts'
import type { Quote } from '#venues/rules/venue.ts'
import type { KeptTerms, MarketTerms, VenueState } from './market-state.ts'
import { lastBooks, venueRates, venueStates, type StoredState } from './store/venue-states.ts'

/** Parts of the context that are used here. */
type Parts = Pick<Context, 'pool' | 'clock' | 'venues' | 'led' | 'answers' | 'watch' | 'market'>

const MINUTE_MS = 60_000
/** Prices that are older than this say nothing about the present. */
const FRESH_MS = 15 * MINUTE_MS
/** Rates change little within this time. */
const MIRROR_MS = 5_000
const ROUND_MS = 5 * MINUTE_MS

type Contracts = VenueState['contracts'] extends ReadonlyMap<string, infer V> ? V : never
type TermsLine =
  | readonly ['pair', string, MarketTerms]
  | readonly ['wallet', string, readonly TransferNetwork[]]
  | readonly ['contract', string, Contracts]

export const packQuotes = (quotes: ReadonlyMap<string, Quote>): Promise<Buffer> => packLines([...quotes.values()])

/** Returns fees, steps, wallet states and contracts to store for other processes; null while those that are stored are the newest. */
export async function termsToKeep({
  listedAt,
  terms,
  wallets,
  contracts,
  kept,
}: VenueState): Promise<KeptTerms | null> {
  if (listedAt === null || (kept?.terms === terms && kept.wallets === wallets && kept.contracts === contracts))
    return null
  const lines: TermsLine[] = [
    ...[...terms].map(([symbol, one]) => ['pair', symbol, one] as const),
    ...[...(wallets ?? [])].map(([currency, networks]) => ['wallet', currency, networks] as const),
    ...[...contracts].map(([currency, known]) => ['contract', currency, known] as const),
  ]
  return { listedAt: new Date(listedAt), terms, wallets, contracts, packed: await packLines(lines) }
}

/** Sets what all jobs may read of a venue that any process observes. */
async function apply(state: VenueState, stored: StoredState): Promise<void> {
  const quotes = await unpackLines(stored.quotes, (value) => value as Quote)
  const lines = stored.terms === null ? [] : await unpackLines(stored.terms, (value) => value as TermsLine)
  state.quotes = new Map(quotes.map((quote) => [quote.symbol, quote]))
  state.terms = new Map(lines.flatMap((line) => (line[0] === 'pair' ? [[line[1], line[2]] as const] : [])))
  const wallets = lines.flatMap((line) => (line[0] === 'wallet' ? [[line[1], line[2]] as const] : []))
  state.contracts = new Map(lines.flatMap((line) => (line[0] === 'contract' ? [[line[1], line[2]] as const] : [])))
  state.wallets = wallets.length === 0 ? null : new Map(wallets)
  applyRates(state, stored)
}

function applyRates(state: VenueState, stored: Pick<StoredState, 'rates' | 'minute' | 'venue_time'>): void {
  state.rates = new Map(Object.entries(stored.rates))
  state.minute = Date.parse(stored.minute)
  state.ratesAt = state.minute
  state.venueTime = stored.venue_time === null ? null : Date.parse(stored.venue_time)
}

/**
 * Makes this process read exactly these venues. It continues where the last process stopped: with its last minute, quotes,
 * terms and rotation of books. The state of a venue that nobody else has observed since is kept as it is.
 */
export async function holdVenues(context: Parts, exchanges: readonly string[]): Promise<void> {
  const { pool, clock, market, venues, led } = context
  led.clear()
  watchExchanges(context, exchanges)
  if (exchanges.length === 0) return
  const now = clock.now().getTime()
  const stored = new Map(
    (await venueStates(pool, exchanges, new Date(now - FRESH_MS))).map((one) => [one.exchange, one]),
  )
  const isNews = (exchange: string) => {
    const at = stored.get(exchange)?.minute
    return at !== undefined && market.of(exchange).minute !== Date.parse(at)
  }
  const gained = exchanges.filter((exchange) => !market.held.has(exchange) || isNews(exchange))
  for (const exchange of market.held) if (!exchanges.includes(exchange)) market.drop(exchange)
  const instances = Map.groupBy(await tradingInstances(pool, gained), (one) => one.exchange)
  const books = await lastBooks(pool, gained, new Date(now - ROUND_MS))
  for (const exchange of gained) {
    market.drop(exchange)
    const state = market.of(exchange)
    state.instances = new Map((instances.get(exchange) ?? []).map((one) => [one.symbol, one]))
    const before = stored.get(exchange)
    if (before !== undefined) await resume(state, before)
  }
  const placeOf = new Map(
    gained.flatMap((exchange) => (instances.get(exchange) ?? []).map((one) => [one.instance_id, exchange])),
  )
  for (const { instance_id, at } of books) {
    const exchange = placeOf.get(instance_id)
    if (exchange !== undefined) market.of(exchange).askedAt.set(instance_id, Date.parse(at))
  }
  for (const exchange of exchanges) {
    market.held.add(exchange)
    const venue = venues.get(exchange)
    if (venue !== undefined) led.set(exchange, venue)
  }
}

/** Time after which an exchange that no job asks is asked for a book: the jobs ask each of them several times a minute. */
const IDLE_MS = 20_000

/** Watches the answers of exactly these exchanges: their readers alone know how old the last answer is. */
function watchExchanges({ venues, answers, watch }: Parts, exchanges: readonly string[]): void {
  for (const [exchange, watched] of answers) {
    if (exchanges.includes(exchange)) continue
    watched.stop()
    answers.delete(exchange)
  }
  for (const exchange of exchanges) {
    const venue = venues.get(exchange)
    if (venue === undefined || answers.has(exchange)) continue
    const look = (signal: AbortSignal) => venue.adapter.look(signal)
    answers.set(exchange, watch({ dependency: 'exchange', name: exchange, idleMs: IDLE_MS, look }))
  }
}

async function resume(state: VenueState, before: StoredState): Promise<void> {
  await apply(state, before)
  state.quotesPrint = before.print
  state.quotesCount = state.quotes.size
  // No first minute of a venue: it was observed before, and its minute is not observed twice.
  state.firstMinute = 0
  if (before.terms === null || before.listed_at === null) return
  state.listedAt = Date.parse(before.listed_at)
  state.nextListAt = state.listedAt + ROUND_MS
}

/** Forgets the quotes and wallet states of a venue that nobody has observed for a while: they are unknown, not unchanged. */
function forgetOld(state: VenueState, now: number): void {
  if (state.minute === null || now - state.minute <= FRESH_MS) return
  if (state.quotes.size > 0) state.quotes = new Map()
  state.wallets = null
}

/**
 * Reads the rates of the venues that other processes observe; with `all` also their quotes, terms and wallet states. What is
 * too old to say something about the present is forgotten.
 */
export async function mirrorVenues({ pool, clock, market, venues, led }: Parts, all: boolean): Promise<void> {
  const others = [...venues.keys()].filter((exchange) => !led.has(exchange))
  const now = clock.now().getTime()
  if (all) for (const exchange of venues.keys()) forgetOld(market.of(exchange), now)
  if (others.length === 0) return
  const after = new Date(now - FRESH_MS)
  if (!all) {
    if (now - market.mirroredAt < MIRROR_MS) return
    market.mirroredAt = now
    for (const stored of await venueRates(pool, others, after)) applyRates(market.of(stored.exchange), stored)
    return
  }
  for (const stored of await venueStates(pool, others, after)) await apply(market.of(stored.exchange), stored)
}
