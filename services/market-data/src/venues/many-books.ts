import type { Venue } from '@svc/contracts/market-data/board'
import { z } from 'zod'
import type { CcxtClient } from './ccxt-client.ts'

/** Reads the books of many pairs in one request and returns them in ccxt's unified form. */
type ManyBooks = (client: CcxtClient, symbols: readonly string[], limit: number) => Promise<readonly unknown[]>

const unit = z.object({ bid_price: z.number(), bid_size: z.number(), ask_price: z.number(), ask_size: z.number() })
const bithumbRows = z.array(z.object({ market: z.string(), timestamp: z.number(), orderbook_units: z.array(unit) }))

/** Reads Bithumb's answer, which has a level of both sides in one object and names markets QUOTE-BASE. */
export function readBithumbBooks(raw: unknown): unknown[] {
  return bithumbRows.parse(raw).map(({ market, timestamp, orderbook_units }) => ({
    symbol: market.split('-').reverse().join('/'),
    timestamp,
    bids: orderbook_units.map((one) => [one.bid_price, one.bid_size]),
    asks: orderbook_units.map((one) => [one.ask_price, one.ask_size]),
  }))
}

/** Venues that return the books of many pairs in one answer. */
export const manyBooks: Partial<Record<Venue, ManyBooks>> = {
  upbit: async (client, symbols, limit) => Object.values((await client.fetchOrderBooks(symbols, limit)) as object),
  // ccxt reads one book of Bithumb at a time.
  bithumb: async (client, symbols) => {
    const ask = client['publicGetV1Orderbook']
    if (typeof ask !== 'function') throw new TypeError('ccxt has no publicGetV1Orderbook')
    const markets = symbols.map((symbol) => symbol.split('/').reverse().join('-')).join(',')
    return readBithumbBooks(await Reflect.apply(ask, client, [{ markets }]))
  },
}
