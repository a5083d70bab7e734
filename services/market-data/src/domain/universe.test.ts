import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { declaredPairs } from './declared-pairs.ts'
import { buildUniverse, keyOf, PAIRS_MAX } from './universe.ts'
import { venueFormats } from './venue-formats.ts'

describe('universe of pairs', () => {
  it('gives every declared pair the id <exchange>_<base>_<quote> in lower case', () => {
    const { universe, skipped } = buildUniverse(declaredPairs)
    expect(skipped).toBe(0)
    expect(universe.get(keyOf('binance', 'BTC/USDT'))).toEqual({
      token_id: 'binance_btc_usdt',
      exchange: 'binance',
      symbol: 'BTC/USDT',
      base: 'BTC',
      quote: 'USDT',
      name: 'Bitcoin',
    })
    for (const exchange of ['binance', 'gate', 'kucoin', 'upbit']) {
      expect([...universe.values()].filter((pair) => pair.exchange === exchange).length).toBeGreaterThan(20)
    }
  })

  it('never gives two pairs the same id, and stays within its bound', () => {
    const asset = fc.stringMatching(/^[A-Z0-9_$.-]{1,4}$/)
    fc.assert(
      fc.property(fc.array(fc.record({ base: asset, quote: asset, name: fc.constant(null) })), (pairs) => {
        const { universe, skipped } = buildUniverse(
          new Map([
            ['gate', pairs],
            ['okx', pairs],
          ]),
        )
        expect(new Set([...universe.values()].map((pair) => pair.token_id)).size).toBe(universe.size)
        expect(universe.size + skipped).toBe(pairs.length * 2)
      }),
    )
    const many = Array.from({ length: PAIRS_MAX + 5 }, (_, n) => ({ base: `T${n}`, quote: 'USDT', name: null }))
    expect(buildUniverse(new Map([['gate', many]]))).toMatchObject({ skipped: 5 })
  })

  it('lists only what trades', () => {
    const binance = venueFormats.find((format) => format.exchange === 'binance')!
    const symbol = (status: string, baseAsset: string) => ({ status, baseAsset, quoteAsset: 'USDT' })
    expect(binance.read({ symbols: [symbol('TRADING', 'BTC'), symbol('BREAK', 'LUNA')] })).toEqual([
      { base: 'BTC', quote: 'USDT', name: null },
    ])
    const upbit = venueFormats.find((format) => format.exchange === 'upbit')!
    expect(upbit.read([{ market: 'KRW-BTC', english_name: 'Bitcoin' }])).toEqual([
      { base: 'BTC', quote: 'KRW', name: 'Bitcoin' },
    ])
    expect(() => upbit.read({ error: 'no' })).toThrow()
  })
})
