import { describe, expect, it } from 'vitest'
import { assetNames, type StatedAsset } from './asset-names.ts'

const asset = (exchange: string, base: string, more: Partial<StatedAsset> = {}): StatedAsset => ({
  exchange,
  base,
  name: null,
  name_ko: null,
  priceUsd: null,
  contracts: [],
  ...more,
})
const at = (address: string) => ({
  contracts: [{ chain: 'ethereum', address, source: 'test', approved: true }],
})
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'

describe('names of assets', () => {
  it('are those that the venue states, and otherwise those of the same asset at another venue, which is named', () => {
    const names = assetNames([
      asset('binance', 'BTC'),
      asset('gate', 'BTC', { name: 'Bitcoin Core' }),
      asset('kucoin', 'BTC', { name: 'Bitcoin' }),
      asset('upbit', 'BTC', { name: 'Bitcoin', name_ko: '비트코인' }),
    ])
    expect(names.get('binance BTC')).toEqual({
      name: 'Bitcoin', name_from: 'kucoin', name_ko: '비트코인', name_ko_from: 'upbit',
    }) // prettier-ignore
    expect(names.get('gate BTC')).toMatchObject({ name: 'Bitcoin Core', name_from: 'gate', name_ko: '비트코인' })
  })

  it('are taken by a contract whatever the ticker, and never by an equal ticker alone', () => {
    const names = assetNames([
      asset('binance', 'ZZA', at(ADDRESS)),
      asset('gate', 'ZZB', { name: 'Zed', ...at(ADDRESS.toLowerCase()) }),
      asset('kucoin', 'ZZA', { name: 'Another Zed' }),
      asset('upbit', 'ZZC'),
    ])
    expect(names.get('binance ZZA')).toMatchObject({ name: 'Zed', name_from: 'gate' })
    expect(names.get('kucoin ZZA')).toMatchObject({ name: 'Another Zed', name_from: 'kucoin' })
    expect(names.get('upbit ZZC')).toEqual({ name: null, name_from: null, name_ko: null, name_ko_from: null })
  })

  it('are not taken from a venue whose price refutes that the asset is the same', () => {
    const names = assetNames([
      asset('binance', 'BTC', { priceUsd: 100 }),
      asset('gate', 'BTC', { priceUsd: 101 }),
      asset('kucoin', 'BTC', { priceUsd: 300, name: 'Bitcoin' }),
    ])
    expect(names.get('binance BTC')?.name).toBeNull()
  })
})
