import type { FastifyInstance } from 'fastify'
import type { ReplayClock } from '../clock.ts'
import { MINUTE, type Feed } from '../feed.ts'
import { hash, uniform } from '../hash.ts'

const DAY = 1_440 * MINUTE

interface Pair {
  readonly base: string
  readonly quote: string
}

/** The market list of a regulated venue: its route and its format. */
interface ListWire {
  readonly id: string
  readonly path: string
  readonly quotes: readonly string[]
  readonly list: (pairs: readonly Pair[]) => unknown
}

/** Regulated venues, of which the product reads only the market list. Routes and members as of ccxt 4.5. */
const listWires: readonly ListWire[] = [
  {
    id: 'coinbase',
    path: '/products',
    quotes: ['USD', 'EUR'],
    list: (pairs) =>
      pairs.map(({ base, quote }) => ({
        id: `${base}-${quote}`,
        base_currency: base,
        quote_currency: quote,
        base_increment: '0.00000001',
        quote_increment: '0.01',
        min_market_funds: '1',
        status: 'online',
        trading_disabled: false,
      })),
  },
  {
    id: 'kraken',
    path: '/0/public/AssetPairs',
    quotes: ['USD'],
    list: (pairs) => ({
      error: [],
      result: Object.fromEntries(
        pairs.map(({ base, quote }) => {
          const name = base === 'BTC' ? 'XBT' : base === 'DOGE' ? 'XDG' : base
          return [
            `${name}${quote}`,
            {
              altname: `${name}${quote}`,
              wsname: `${name}/${quote}`,
              base: name,
              quote,
              pair_decimals: 5,
              lot_decimals: 8,
              ordermin: '1',
              costmin: '0.5',
              fees: [[0, 0.26]],
              fees_maker: [[0, 0.16]],
              leverage_buy: [],
              status: 'online',
            },
          ]
        }),
      ),
    }),
  },
  {
    id: 'bitstamp',
    path: '/api/v2/markets/',
    quotes: ['USD'],
    list: (pairs) =>
      pairs.map(({ base, quote }) => ({
        name: `${base}/${quote}`,
        market_symbol: `${base}${quote}`.toLowerCase(),
        base_currency: base,
        counter_currency: quote,
        base_decimals: 8,
        counter_decimals: 2,
        minimum_order_value: '10',
        trading: 'Enabled',
        market_type: 'SPOT',
      })),
  },
  {
    id: 'gemini',
    path: '/v1/symbols',
    quotes: ['USD'],
    list: (pairs) => pairs.map(({ base, quote }) => `${base}${quote}`.toLowerCase()),
  },
]

/** Ids of the regulated venues whose lists a synthetic universe has. */
export const regulatedIds: readonly string[] = listWires.map(({ id }) => id)

/** Depth in dollars at which a token is almost never, and almost always, listed at a regulated venue. */
const DEPTH_NEVER = 3_000
const DEPTH_ALWAYS = 1_000_000

/** Returns the deepest dollar market of each asset, as the venues of the feed list them on a day. */
function depthsOf(feed: Feed, at: number): Map<string, number> {
  const depths = new Map<string, number>()
  for (const venue of feed.venues)
    for (const { market, status } of feed.listings(venue, at)) {
      if (status !== 'trading' || !market.quote.startsWith('USD')) continue
      const { depthQuote } = feed.liquidity(market, at)
      depths.set(market.base, Math.max(depths.get(market.base) ?? 0, depthQuote))
    }
  return depths
}

const seedOf = (text: string) => [...text].reduce((sum, letter) => hash(sum, letter.codePointAt(0) ?? 0), 7)

/** Whether a regulated venue lists an asset: the deeper its markets, the likelier, and for good. */
function isListed(venue: string, base: string, depth: number): boolean {
  const share = Math.log(depth / DEPTH_NEVER) / Math.log(DEPTH_ALWAYS / DEPTH_NEVER)
  return uniform(seedOf(venue), seedOf(base)) < Math.min(0.97, Math.max(0.02, share))
}

/** Registers the lists of the regulated venues below their paths. A list changes once a day. */
export function regulatedLists(feed: Feed, clock: ReplayClock) {
  return async (app: FastifyInstance): Promise<void> => {
    let cached: { readonly day: number; readonly depths: Map<string, number> } | null = null
    const depthsToday = () => {
      const day = Math.floor(clock.now() / DAY)
      if (cached?.day !== day) cached = { day, depths: depthsOf(feed, day * DAY) }
      return cached.depths
    }
    for (const { id, path, quotes, list } of listWires)
      app.get(`/${id}${path}`, (_request, reply) => {
        const bases = [...depthsToday()].flatMap(([base, depth]) => (isListed(id, base, depth) ? [base] : []))
        const pairs = bases.flatMap((base) => quotes.map((quote) => ({ base, quote })))
        return reply.header('date', new Date(clock.now()).toUTCString()).send(list(pairs))
      })
  }
}
