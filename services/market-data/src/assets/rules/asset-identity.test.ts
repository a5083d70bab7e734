import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { groupSameAssets, PRICE_RATIO_MAX, type AssetInstance } from './asset-identity.ts'
import { CURATED_ASSETS } from './curated-assets.ts'

const instance = (exchange: string, base: string, more: Partial<AssetInstance> = {}): AssetInstance => ({
  id: `${exchange}_${base}_usdt`,
  exchange,
  base,
  quote: 'USDT',
  name: null,
  priceUsd: 1,
  contracts: [],
  ...more,
})
const at = (chain: string, address: string) => ({ contracts: [{ chain, address }] })
const exchangesOf = (instances: readonly AssetInstance[]) =>
  groupSameAssets(instances).groups.map(({ members }) => members.map(({ exchange }) => exchange))
const reasonsOf = (instances: readonly AssetInstance[]) =>
  groupSameAssets(instances).conflicts.map(({ reason, members }) => [
    reason,
    ...members.map(({ exchange }) => exchange),
  ])

describe('the same asset', () => {
  test('is proven by an equal approved address on the same chain, whatever the ticker', () => {
    const address = '0x52908400098527886E0F7030069857D2E4169EE7'
    const both = [
      instance('a', 'FOO', at('ethereum', address)),
      instance('b', 'FOO2', at('ethereum', address.toLowerCase())),
    ]
    expect(groupSameAssets(both).groups).toMatchObject([{ basis: [`ethereum:${address.toLowerCase()}`] }])
    expect(
      exchangesOf([instance('a', 'FOO', at('ethereum', address)), instance('b', 'FOO', at('bsc', address))]),
    ).toEqual([])
    const solana = (text: string) => at('solana', text)
    expect(exchangesOf([instance('a', 'X', solana('AbC')), instance('b', 'X', solana('aBc'))])).toEqual([])
  })

  test('is proven through a third venue that knows both addresses', () => {
    const bridge = instance('b', 'FOO', {
      contracts: [
        { chain: 'ethereum', address: '0x01' },
        { chain: 'bsc', address: '0x02' },
      ],
    })
    const all = [instance('a', 'FOO', at('ethereum', '0x01')), bridge, instance('c', 'FOO', at('bsc', '0x02'))]
    expect(exchangesOf(all)).toEqual([['a', 'b', 'c']])
  })

  test('is proven by the curated list unless the venue’s own name contradicts it', () => {
    const [a, b] = [instance('a', 'ETH', { name: 'Ethereum' }), instance('b', 'ETH', { name: '이더리움' })]
    expect(groupSameAssets([a, b]).groups).toMatchObject([{ basis: [CURATED_ASSETS.get('ETH')?.source] }])
    const other = instance('c', 'ETH', { name: 'Elephant Hat' })
    expect(exchangesOf([a, b, other])).toEqual([['a', 'b']])
    expect(reasonsOf([a, b, other])).toEqual([['name_differs', 'c']])
  })

  test('is never proven by an equal ticker, name or price', () => {
    const twins = [instance('a', 'META', { name: 'Meta' }), instance('b', 'META', { name: 'Meta' })]
    expect(exchangesOf(twins)).toEqual([])
    expect(reasonsOf(twins)).toEqual([['no_proof', 'a', 'b']])
  })

  test('is grouped per quote, and instances with an unknown quote are not paired', () => {
    const quoted = (exchange: string, quote: string) => instance(exchange, 'BTC', { quote })
    const all = [quoted('a', 'USDT'), quoted('b', 'USDT'), quoted('c', 'USDC'), quoted('d', 'XYZ'), quoted('e', 'XYZ')]
    expect(exchangesOf(all)).toEqual([['a', 'b']])
    expect(reasonsOf(all)).toEqual([['quote_unproven', 'd', 'e']])
  })

  test('different addresses on the same chain have another reason than a missing proof', () => {
    const all = [instance('a', 'FOO', at('bsc', '0x01')), instance('b', 'FOO', at('bsc', '0x02')), instance('c', 'FOO')]
    expect(exchangesOf(all)).toEqual([])
    expect(reasonsOf(all)).toEqual([
      ['different_contract', 'a', 'b'],
      ['no_proof', 'c'],
    ])
  })

  test('a price outside 0.8–1.25 rejects the minority; a tie rejects all; an unknown price rejects nothing', () => {
    const priced = (...prices: (number | null)[]) =>
      prices.map((priceUsd, index) => instance('abcdef'[index] ?? '', 'BTC', { priceUsd }))
    expect(exchangesOf(priced(100, 125))).toEqual([['a', 'b']])
    expect(exchangesOf(priced(100, 125.1))).toEqual([])
    expect(exchangesOf(priced(100, 100, 200))).toEqual([['a', 'b']])
    expect(reasonsOf(priced(100, 100, 200))).toEqual([['price_differs', 'c']])
    expect(exchangesOf(priced(100, 100, 200, 200))).toEqual([])
    expect(exchangesOf(priced(100, null, 200, 101))).toEqual([['a', 'b', 'd']])
    expect(exchangesOf(priced(null, null))).toEqual([['a', 'b']])
  })

  test('every pair shares a chain of proofs and lies within the price bounds; each instance is paired or reported once', () => {
    const any = fc.record({
      exchange: fc.constantFrom('a', 'b', 'c', 'd'),
      base: fc.constantFrom('BTC', 'META', 'FOO'),
      quote: fc.constantFrom('USDT', 'USDC'),
      name: fc.constantFrom(null, 'Bitcoin', 'Other'),
      priceUsd: fc.option(fc.integer({ min: 80, max: 140 }), { nil: null }),
      contracts: fc.array(
        fc.record({ chain: fc.constantFrom('ethereum', 'bsc'), address: fc.constantFrom('0x01', '0x02') }),
        { maxLength: 2 },
      ),
    })
    fc.assert(
      fc.property(fc.array(any, { maxLength: 12 }), (all) => {
        const instances = all.map((one, index) => ({ ...one, id: String(index) }))
        const { groups, conflicts } = groupSameAssets(instances)
        const members = groups.flatMap((group) => group.members)
        const told = [...members, ...conflicts.flatMap((conflict) => conflict.members)]
        expect(new Set(told).size).toBe(told.length)
        for (const group of groups) {
          const prices = group.members.flatMap(({ priceUsd }) => priceUsd ?? [])
          expect(Math.max(...prices) <= PRICE_RATIO_MAX * Math.min(...prices)).toBe(true)
          expect(new Set(group.members.map(({ quote }) => quote)).size).toBe(1)
          for (const { base, contracts } of group.members)
            expect(contracts.length > 0 || CURATED_ASSETS.has(base)).toBe(true)
        }
      }),
    )
  })
})

test('each curated asset has a source and the spelling that venues use', () => {
  expect(CURATED_ASSETS.size).toBeGreaterThan(50)
  for (const { symbol, words, source } of CURATED_ASSETS.values()) {
    expect(symbol).toMatch(/^[A-Z0-9]{2,6}$/)
    expect(source).toMatch(/^(SLIP-0044 .* \d+|issuer: .+\..+)$/)
    for (const word of words) expect(word).toMatch(/^[a-z0-9]+$/)
  }
})
