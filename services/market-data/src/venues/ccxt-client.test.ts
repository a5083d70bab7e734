import { VENUES } from '@svc/contracts/market-data/board'
import { describe, expect, it } from 'vitest'
import { ccxtClient, type CcxtClient } from './ccxt-client.ts'
import { officialFlags } from './official-flags.ts'
import { burstOf } from './request-budget.ts'
import { venueLimits } from './venue-limits.ts'

const BASE = 'http://127.0.0.1:9/venue'
const addressesIn = (tree: unknown): string[] =>
  typeof tree === 'string' ? [tree] : Object.values(tree as object).flatMap(addressesIn)
const open = async (venue: (typeof VENUES)[number], baseUrl: string | null): Promise<CcxtClient> =>
  (await ccxtClient(venue, { baseUrl, timeoutMs: 1_000, now: () => 0 })).client

describe.each(VENUES)('%s', (venue) => {
  it('is loaded without other exchanges, and calls only its base address if one is set', async () => {
    const client = await open(venue, BASE)
    const addresses = addressesIn(client.urls.api)
    expect(addresses.length).toBeGreaterThan(0)
    for (const address of addresses) expect(address.startsWith(BASE) || !/^https?:/.test(address)).toBe(true)
    expect(addressesIn((await open(venue, null)).urls.api).some((address) => address.includes('127.0.0.1'))).toBe(false)
  })

  it('has limits that admit every call', () => {
    const limits = venueLimits[venue]
    for (const one of Object.values(limits.cost)) expect(one).toBeLessThanOrEqual(burstOf(limits))
  })
})

describe('single endpoints that are called directly', () => {
  it('exist in this version of ccxt', async () => {
    for (const venue of ['upbit', 'bithumb', 'gate', 'kucoin', 'mexc'] as const) {
      const asked: string[] = []
      const client = await open(venue, BASE)
      const spy = new Proxy(client, {
        get: (target, name) => {
          asked.push(String(name))
          return typeof Reflect.get(target, name) === 'function' ? () => Promise.resolve([]) : undefined
        },
      })
      await officialFlags[venue]?.ask(spy)
      expect(asked.length).toBe(1)
    }
    expect(typeof (await open('bithumb', BASE))['publicGetV1Orderbook']).toBe('function')
  })
})
