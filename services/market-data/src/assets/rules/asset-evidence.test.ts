import { expect, test } from 'vitest'
import type { AssetInstance, ContractClaim } from './asset-claims.ts'
import { proofStatements } from './asset-evidence.ts'
import { groupSameAssets } from './asset-identity.ts'
import { CURATED_ASSETS } from './curated-assets.ts'

const LINK = '0x514910771af9ca656af840dff83e8264ecf986ca'
const stated = (source: string, address: string, approved = false): ContractClaim => ({
  chain: approved ? 'ethereum' : 'ETH',
  address,
  source,
  approved,
})
const listing = (exchange: string, base: string, ...contracts: ContractClaim[]): AssetInstance => ({
  id: `${exchange} ${base}`,
  exchange,
  base,
  quote: 'USDT',
  name: null,
  priceUsd: 1,
  contracts,
})
const statementsOf = (...instances: AssetInstance[]) =>
  groupSameAssets(instances).groups.flatMap(({ basis, evidence }) => proofStatements(basis, evidence))

test('a contract that the curated list and venues state, each in its spelling, is one proof with all its sources', () => {
  const upper = CURATED_ASSETS.get('LINK')?.contract?.address ?? ''
  expect(upper.toLowerCase()).toBe(LINK)
  expect(upper).not.toBe(LINK)
  const both = [
    listing('gate', 'LINK', stated('gate /api/v4/spot/currencies', LINK)),
    listing('kucoin', 'LINK', stated('reviewed metadata', upper, true)),
  ]
  expect(groupSameAssets(both).groups.map(({ basis }) => basis)).toEqual([[`ethereum:${LINK}`]])
  expect(statementsOf(...both)).toEqual([
    `ethereum:${LINK} (curated list; gate /api/v4/spot/currencies; reviewed metadata)`,
  ])
})

test('a curated token is paired with a listing of another ticker that states its contract', () => {
  const other = listing('kucoin', 'CHAINLINK', stated('reviewed metadata', LINK, true))
  expect(statementsOf(listing('gate', 'LINK'), other)).toEqual([`ethereum:${LINK} (curated list; reviewed metadata)`])
})

test('a coin is proven by its registration, and beyond three sources their number is stated', () => {
  const [coin] = statementsOf(listing('gate', 'BTC'), listing('kucoin', 'BTC'))
  expect(coin).toMatch(/^SLIP-0044 .* 0 \(curated list\)$/)
  const five = ['a', 'b', 'c', 'd'].map((venue) => listing(venue, 'LINK', stated(`${venue} /list`, LINK)))
  expect(statementsOf(...five)).toEqual([`ethereum:${LINK} (curated list; a /list; b /list; 2 more)`])
})
