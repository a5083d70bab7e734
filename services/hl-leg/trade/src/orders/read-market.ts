import { isOutage, Outage, RemoteRefusal } from '@svc/service'
import type { Context } from '#context.ts'
import { listedDexes } from '@svc/venue/listed-dexes'
import { marketsOf } from '@svc/venue/markets-of'
import { dexOf } from '@svc/venue/rules/market-id'

/** A market of the venue with collateral in USDC, and its mark price. */
export interface TradeMarket {
  readonly coin: string
  readonly dex: string
  readonly asset: number
  readonly sizeDecimals: number
  readonly maxLeverage: number
  readonly listed: boolean
  readonly mark: string
}

type Reader = Pick<Context, 'relay' | 'venue' | 'clock' | 'log' | 'settings'>

/** Maximum age of a mark price that an order is planned with. */
const MARK_MAX_AGE_MS = 60_000

/**
 * Returns a market with a mark price that is at most a minute old; null if the venue does not have it on the dexes of this
 * deployment. It comes from hl-relay, and from the venue itself while hl-relay has no answer. Rejects with an outage.
 */
export async function readMarket(context: Reader, coin: string): Promise<TradeMarket | null> {
  if (!context.settings.dexes.includes(dexOf(coin))) return null
  try {
    const { items } = await context.relay.readVenueMarkets({ coins: [coin], max_age_ms: MARK_MAX_AGE_MS })
    const found = items.find((one) => one.coin === coin)
    if (found === undefined) return null
    const { dex, asset, size_decimals: sizeDecimals, max_leverage: maxLeverage, listed, mark_price: mark } = found
    return { coin, dex, asset, sizeDecimals, maxLeverage, listed, mark }
  } catch (error) {
    if (!isOutage(error) && !(error instanceof RemoteRefusal)) throw error
    context.log.warn({ err: error }, 'hl-relay has no markets; the venue is asked')
    return askMarket(context, coin)
  }
}

async function askMarket(context: Reader, coin: string): Promise<TradeMarket | null> {
  const { venue, clock } = context
  const name = dexOf(coin)
  const place = (await listedDexes(context, 'orders')).indexOf(name)
  if (place < 0) return null
  const answer = await venue.ask('orders', 'metaAndAssetCtxs', name === '' ? {} : { dex: name })
  const found = marketsOf({ name, place }, answer, clock.now()).find((market) => market.coin === coin)
  return found === undefined || !found.usdc ? null : found
}

/** A book as the venue gave it, best offers first. */
export interface TradeBook {
  readonly bids: readonly { readonly price: string; readonly size: string }[]
  readonly asks: readonly { readonly price: string; readonly size: string }[]
}

const levelsOf = (levels: readonly { readonly px: string; readonly sz: string }[]) =>
  levels.map(({ px, sz }) => ({ price: px, size: sz }))

/** Reads the book of a market. Rejects with an outage, also for one that is older than readings may be. */
export async function readBook({ venue, clock, settings }: Reader, coin: string): Promise<TradeBook> {
  const book = await venue.ask('orders', 'l2Book', { coin })
  if (book === null || book.coin !== coin) throw new Outage('venue', 'the venue has no book of this market')
  if (clock.now().getTime() - book.time > settings.readingMaxAgeSec * 1000)
    throw new Outage('venue_stale', 'the book of this market is too old')
  const [bids, asks] = book.levels
  return { bids: levelsOf(bids), asks: levelsOf(asks) }
}
