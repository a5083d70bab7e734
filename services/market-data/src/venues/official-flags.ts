import type { Venue } from '@svc/contracts/market-data/board'
import { z } from 'zod'
import type { OfficialFlag } from './rules/venue.ts'
import type { CcxtClient } from './ccxt-client.ts'

/** Requests and reads the official warnings of a venue, which ccxt's unified market list drops. */
interface FlagReader {
  ask(client: CcxtClient): Promise<unknown>
  read(raw: unknown, symbolOf: (id: string) => string, venueTime: number | null): OfficialFlag[]
}

const endpoint = (client: CcxtClient, name: string, params: object): Promise<unknown> => {
  const method = client[name]
  if (typeof method !== 'function') throw new TypeError(`ccxt has no ${name}`)
  return Promise.resolve(Reflect.apply(method, client, [params]))
}

const upbitRow = z.object({
  market: z.string(),
  market_event: z
    .object({ warning: z.boolean().optional(), caution: z.record(z.string(), z.boolean()).optional() })
    .optional(),
})

const bithumbRow = z.object({ market: z.string(), market_warning: z.string().optional() })

const gateRow = z.object({ id: z.string(), trade_status: z.string(), delisting_time: z.coerce.number().optional() })

/** Venues that publish warnings about single pairs without a key. */
export const officialFlags: Partial<Record<Venue, FlagReader>> = {
  upbit: {
    ask: (client) => endpoint(client, 'publicGetMarketAll', { is_details: 'true' }),
    read: (raw, symbolOf) =>
      z
        .array(upbitRow)
        .parse(raw)
        .flatMap(({ market, market_event }) => {
          const symbol = symbolOf(market)
          const cautions = Object.entries(market_event?.caution ?? {}).filter(([, raised]) => raised)
          return [
            ...(market_event?.warning === true ? [flag(symbol, 'market_event.warning', 'warning')] : []),
            ...cautions.map(([name]) => flag(symbol, `market_event.caution.${name}`.slice(0, 100), 'caution')),
          ]
        }),
  },
  bithumb: {
    ask: (client) => endpoint(client, 'publicGetV1MarketAll', { isDetails: 'true' }),
    read: (raw, symbolOf) =>
      z
        .array(bithumbRow)
        .parse(raw)
        .flatMap(({ market, market_warning }) =>
          market_warning === undefined || market_warning === 'NONE'
            ? []
            : [flag(symbolOf(market), `market_warning.${market_warning}`.slice(0, 100), 'caution')],
        ),
  },
  gate: {
    ask: (client) => endpoint(client, 'publicSpotGetCurrencyPairs', {}),
    read: (raw, symbolOf, venueTime) =>
      z
        .array(gateRow)
        .parse(raw)
        .flatMap(({ id, trade_status, delisting_time }) => {
          const symbol = symbolOf(id)
          const effectiveAt = delisting_time === undefined || delisting_time <= 0 ? null : delisting_time * 1000
          const announced = effectiveAt !== null && effectiveAt > (venueTime ?? 0)
          return [
            ...(trade_status === 'sellable' ? [flag(symbol, 'trade_status.sellable', 'warning')] : []),
            ...(announced ? [flag(symbol, 'delisting_time', 'delisting_announced', effectiveAt)] : []),
          ]
        }),
  },
  kucoin: {
    ask: (client) => endpoint(client, 'publicGetSymbols', {}),
    read: (raw, symbolOf) =>
      z
        .object({ data: z.array(z.object({ symbol: z.string(), st: z.boolean().optional() })) })
        .parse(raw)
        .data.flatMap(({ symbol, st }) => (st === true ? [flag(symbolOf(symbol), 'st', 'warning')] : [])),
  },
  mexc: {
    ask: (client) => endpoint(client, 'spotPublicGetExchangeInfo', {}),
    read: (raw, symbolOf) =>
      z
        .object({ symbols: z.array(z.object({ symbol: z.string(), st: z.boolean().optional() })) })
        .parse(raw)
        .symbols.flatMap(({ symbol, st }) => (st === true ? [flag(symbolOf(symbol), 'st', 'warning')] : [])),
  },
}

function flag(
  symbol: string,
  word: string,
  meaning: OfficialFlag['meaning'],
  effectiveAt: number | null = null,
): OfficialFlag {
  return { symbol, flag: word, meaning, effectiveAt }
}
