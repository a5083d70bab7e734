import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AssetInstance, ContractClaim } from './asset-claims.ts'
import { groupSameAssets, PRICE_RATIO_MAX } from './asset-identity.ts'
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
const [ONE, TWO, THREE] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string]
const claim = (chain: string | null, address: string, source: string, approved = false): ContractClaim => ({
  chain,
  address,
  source,
  approved,
})
const approved = (chain: string, address: string) => ({ contracts: [claim(chain, address, 'reviewed metadata', true)] })
const at = (source: string, chain: string | null, ...addresses: string[]) => ({
  contracts: addresses.map((address) => claim(chain, address, source)),
})
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
      instance('a', 'FOO', approved('ethereum', address)),
      instance('b', 'FOO2', approved('ethereum', address.toLowerCase())),
    ]
    expect(groupSameAssets(both).groups).toMatchObject([
      {
        basis: [`ethereum:${address.toLowerCase()}`],
        evidence: [{ source: 'reviewed metadata', chain: 'ethereum', address: address.toLowerCase() }],
      },
    ])
    const apart = [instance('a', 'FOO', approved('ethereum', address)), instance('b', 'FOO', approved('bsc', address))]
    expect(exchangesOf(apart)).toEqual([])
    const [mint, other] = [
      'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1V',
    ]
    const solana = (exchange: string, text: string) => instance(exchange, 'X', approved('solana', text))
    expect(exchangesOf([solana('a', mint), solana('b', mint)])).toEqual([['a', 'b']])
    expect(exchangesOf([solana('a', mint), solana('b', other)])).toEqual([])
  })

  test('is proven by a contract that two venues publish, each named as a source, whatever they call the chain', () => {
    const both = [
      instance('gate', 'FOO', at('gate /spot/currencies', 'BASEEVM', ONE.toUpperCase().replace('0X', '0x'))),
      instance('kucoin', 'FOO', at('kucoin /currencies', 'base', ONE)),
    ]
    expect(groupSameAssets(both).groups).toMatchObject([
      {
        basis: [`base:${ONE}`],
        evidence: [
          { source: 'gate /spot/currencies', chain: 'base', address: ONE },
          { source: 'kucoin /currencies', chain: 'base', address: ONE },
        ],
      },
    ])
    const unknown = instance('kucoin', 'FOO', at('kucoin', 'a-chain-of-tomorrow', ONE))
    expect(exchangesOf([both[0] ?? unknown, unknown])).toEqual([])
  })

  test('an address without a chain is evidence only if another source states it on a chain', () => {
    const gate = instance('gate', 'FOO', at('gate', 'BSC', ONE))
    const bare = (exchange: string, address: string) => instance(exchange, 'FOO', at(exchange, null, address))
    expect(exchangesOf([gate, bare('mexc', ONE)])).toEqual([['gate', 'mexc']])
    expect(exchangesOf([gate, bare('mexc', TWO)])).toEqual([])
    expect(exchangesOf([bare('mexc', ONE), bare('other', ONE)])).toEqual([])
  })

  test('a contract proves nothing against a conflict: of sources that contradict each other none is paired', () => {
    const two = (exchange: string, eth: string, bsc: string) =>
      instance(exchange, 'FOO', { contracts: [claim('ETH', eth, exchange), claim('BSC', bsc, exchange)] })
    const all = [two('gate', ONE, TWO), two('kucoin', ONE, THREE)]
    expect(exchangesOf(all)).toEqual([])
    expect(reasonsOf(all)).toEqual([['sources_contradict', 'gate', 'kucoin']])
    // The contract that most venues state stands.
    const three = [...all, two('third', ONE, TWO)]
    expect(exchangesOf(three)).toEqual([['gate', 'third']])
    expect(reasonsOf(three)).toEqual([['sources_contradict', 'kucoin']])
    // Reviewed metadata and the venue itself contradict each other.
    const disputed = instance('gate', 'FOO', {
      contracts: [claim('ethereum', ONE, 'reviewed metadata', true), claim('ETH', TWO, 'gate')],
    })
    const sure = instance('b', 'FOO', at('b', 'ETH', TWO))
    expect(exchangesOf([disputed, sure])).toEqual([])
    expect(reasonsOf([disputed, sure])[0]).toEqual(['sources_contradict', 'gate'])
  })

  test('a venue that states one contract for two of its assets proves neither', () => {
    const twice = ['FOO', 'BAR'].map((base) => instance('gate', base, at('gate', 'ETH', ONE)))
    expect(exchangesOf([...twice, instance('kucoin', 'FOO', at('kucoin', 'eth', ONE))])).toEqual([])
  })

  test('a published contract does not pair an asset whose name the curated list contradicts', () => {
    const link = CURATED_ASSETS.get('LINK')?.contract?.address ?? ''
    const named = (name: string) => instance('gate', 'LINK', { name, ...at('gate', 'ETH', link) })
    const other = instance('kucoin', 'LINK', at('kucoin', 'eth', link))
    expect(exchangesOf([named('Chainlink'), other])).toEqual([['gate', 'kucoin']])
    expect(exchangesOf([named('Lint King'), other])).toEqual([])
    expect(reasonsOf([named('Lint King'), other])[0]).toEqual(['name_differs', 'gate'])
  })

  test('a curated token whose venue states another contract on its home chain is not paired', () => {
    const wrong = instance('gate', 'LINK', at('gate', 'ETH', ONE))
    expect(exchangesOf([wrong, instance('b', 'LINK'), instance('c', 'LINK')])).toEqual([['b', 'c']])
    expect(reasonsOf([wrong, instance('b', 'LINK'), instance('c', 'LINK')])).toEqual([['different_contract', 'gate']])
    // Two bridges of a coin to one chain are no contradiction.
    const bridged = (exchange: string, address: string) => instance(exchange, 'XRP', at(exchange, 'BSC', address))
    expect(exchangesOf([bridged('a', ONE), bridged('b', TWO)])).toEqual([['a', 'b']])
  })

  test('is proven through a third venue that knows both addresses', () => {
    const bridge = instance('b', 'FOO', {
      quote: 'USDC',
      contracts: [claim('ethereum', ONE, 'b'), claim('bsc', TWO, 'b')],
    })
    const all = [
      instance('a', 'FOO', at('a', 'ethereum', ONE)),
      bridge,
      { ...bridge, id: 'x', quote: 'USDT' },
      instance('c', 'FOO', at('c', 'bsc', TWO)),
    ]
    expect(exchangesOf(all)).toEqual([['a', 'b', 'c']])
    // If its price rejects the third venue, nothing links the others.
    const dear = [all[0], { ...bridge, quote: 'USDT', priceUsd: 9 }, all[3]].flatMap((one) => one ?? [])
    expect(exchangesOf(dear)).toEqual([])
  })

  test('is proven by the curated list unless the venue’s own name contradicts it', () => {
    const [a, b] = [instance('a', 'ETH', { name: 'Ethereum' }), instance('b', 'ETH', { name: '이더리움' })]
    expect(groupSameAssets([a, b]).groups).toMatchObject([
      { basis: [CURATED_ASSETS.get('ETH')?.source], evidence: [{ chain: null, address: null }] },
    ])
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
    const all = [
      instance('a', 'FOO', at('a', 'bsc', ONE)),
      instance('b', 'FOO', at('b', 'bsc', TWO)),
      instance('c', 'FOO'),
    ]
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
      base: fc.constantFrom('BTC', 'META', 'FOO', 'LINK'),
      quote: fc.constantFrom('USDT', 'USDC'),
      name: fc.constantFrom(null, 'Bitcoin', 'Other'),
      priceUsd: fc.option(fc.integer({ min: 80, max: 140 }), { nil: null }),
      contracts: fc.array(
        fc.record({
          chain: fc.constantFrom('ethereum', 'BSC', 'unknown', null),
          address: fc.constantFrom(ONE, TWO, 'not an address'),
          source: fc.constantFrom('venue', 'reviewed metadata'),
          approved: fc.boolean(),
        }),
        { maxLength: 3 },
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
          expect(group.basis.length).toBeGreaterThan(0)
          expect(group.evidence.length).toBeGreaterThan(0)
          for (const { base, contracts } of group.members)
            expect(contracts.length > 0 || CURATED_ASSETS.has(base)).toBe(true)
        }
      }),
    )
  })
})
