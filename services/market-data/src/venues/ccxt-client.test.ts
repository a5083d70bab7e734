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
    const { pools, cost, books } = venueFile(venue)
    const deeper = (books.deeper ?? []).map((one) => one.cost)
    for (const one of [...Object.values(cost), ...deeper]) {
      const { pool, units } = partsOf(one)
      expect(units).toBeLessThanOrEqual(burstOf(pools[pool] ?? { units: 0 }))
    }
    expect(books.perCall === 1 || 'many' in books).toBe(true)
  })

  it('names only endpoints that this version of ccxt has', async () => {
    const { flags, books } = venueFile(venue)
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
    expect(asked.length).toBe((flags === null ? 0 : 1) + (books.many === undefined ? 0 : 1))
  })
})
