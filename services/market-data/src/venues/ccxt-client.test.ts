import { partsOf } from '@svc/contracts/market-data/venue-file'
import { venueFile, venueFiles } from '@svc/contracts/market-data/venues'
import { describe, expect, it } from 'vitest'
import { ccxtClient, type CcxtClient } from './ccxt-client.ts'
import { burstOf } from './request-budget.ts'

const BASE = 'http://127.0.0.1:9/venue'
const addressesIn = (tree: unknown): string[] =>
  typeof tree === 'string' ? [tree] : Object.values(tree as object).flatMap(addressesIn)
const open = async (venue: string, baseUrl: string | null): Promise<CcxtClient> =>
  (await ccxtClient(venueFile(venue).ccxt, { baseUrl, timeoutMs: 1_000, now: () => 0 })).client

describe.each([...venueFiles.keys()])('%s', (venue) => {
  it('is loaded without other exchanges, and calls only its base address if one is set', async () => {
    const client = await open(venue, BASE)
    const addresses = addressesIn(client.urls.api)
    expect(addresses.length).toBeGreaterThan(0)
    for (const address of addresses) expect(address.startsWith(BASE) || !/^https?:/.test(address)).toBe(true)
    expect(addressesIn((await open(venue, null)).urls.api).some((address) => address.includes('127.0.0.1'))).toBe(false)
  })

  it('has pools that admit every call', () => {
    const { pools, cost, books, announcements } = venueFile(venue)
    const deeper = (books.deeper ?? []).map((one) => one.cost)
    const news = announcements === undefined ? [] : [announcements.cost]
    for (const one of [...Object.values(cost), ...deeper, ...news]) {
      const { pool, units } = partsOf(one)
      expect(units).toBeLessThanOrEqual(burstOf(pools[pool] ?? { units: 0 }))
    }
    expect(books.perCall === 1 || 'many' in books).toBe(true)
  })

  it('names only endpoints that this version of ccxt has', async () => {
    const { flags, books, announcements } = venueFile(venue)
    const client = await open(venue, BASE)
    const asked: string[] = []
    const spy = new Proxy(client, {
      get: (target, name) => {
        asked.push(String(name))
        return typeof Reflect.get(target, name) === 'function' ? () => Promise.resolve([]) : undefined
      },
    })
    await flags?.ask(spy)
    await books.many?.(spy, [], 1)
    await announcements?.ask(spy)
    const optional = [flags ?? undefined, books.many, announcements].filter((one) => one !== undefined)
    expect(asked.length).toBe(optional.length + (flags?.others?.length ?? 0))
  })
})

/** Names of bitcoin at each venue, as its market list writes them. */
const bitcoinAt = (markets: string) => ({
  id: markets,
  symbol: 'BTC/USDT',
  base: 'BTC',
  quote: 'USDT',
  baseId: 'BTC',
  quoteId: 'USDT',
})

describe.each([...venueFiles].filter(([, { use }]) => use === 'board'))('the published limits of %s', (venue, file) => {
  it('name every endpoint that is called', async () => {
    const client = await open(venue, null)
    const call = (name: string, ...given: unknown[]) =>
      Promise.resolve(Reflect.apply(client[name] as () => unknown, client, given)).catch(() => {})
    const asked = new Set<string>()
    client.fetch = async (address) => {
      asked.add(new URL(address).pathname)
      throw new Error('not called')
    }
    const pathsOf = async (work: () => Promise<unknown>) => {
      asked.clear()
      await work().catch(() => {})
      return [...asked].toSorted()
    }
    const endpoints = (kind: keyof NonNullable<typeof file.published>['endpoints']) =>
      (file.published?.endpoints[kind] ?? '').split(', ').filter(Boolean).toSorted()
    expect(await pathsOf(() => client.loadMarkets(true))).toEqual(endpoints('markets'))
    Reflect.apply(client['setMarkets'] as () => void, client, [
      [
        Reflect.apply(client['safeMarketStructure'] as () => object, client, [
          { ...bitcoinAt('BTC-USDT'), spot: true, type: 'spot', active: true, info: {} },
        ]),
      ],
    ])
    const quotes = async () => {
      await call('fetchTickers')
      if (file.bestPrices === 'own_call') await call('fetchBidsAsks')
    }
    expect(await pathsOf(quotes)).toEqual(endpoints('quotes'))
    const book = () =>
      file.books.many?.(client, ['BTC/USDT'], 30) ?? client.fetchOrderBook('BTC/USDT', file.books.levels)
    expect(await pathsOf(() => Promise.resolve(book()))).toEqual(endpoints('book'))
    expect(await pathsOf(() => client.fetchTrades('BTC/USDT', undefined, 100))).toEqual(endpoints('trades'))
    expect(await pathsOf(() => client.fetchOHLCV('BTC/USDT', '1m', undefined, 10))).toEqual(endpoints('candles'))
    if (file.flags !== null)
      expect(await pathsOf(() => Promise.resolve(file.flags?.ask(client)))).toEqual(endpoints('flags'))
    if (file.wallets) expect(await pathsOf(() => client.fetchCurrencies())).toEqual(endpoints('wallets'))
  })

  it('are above the pools: at least a fifth is left for the units that may be used at once', () => {
    for (const [name, pool] of Object.entries(file.pools)) {
      const published = file.published?.pools[name]
      expect(published === undefined, name).toBe(false)
      if (published == null) continue
      expect(pool.units / pool.windowMs).toBeLessThanOrEqual((0.8 * published.units) / published.windowMs)
    }
  })
})
