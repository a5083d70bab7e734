import { venueFiles } from '@svc/contracts/market-data/venues'
import { expect, test } from 'vitest'
import { isAddress } from 'viem/utils'
import { ccxtClient } from '#venues/ccxt-client.ts'
import { chainOf } from './chains.ts'
import { contractAddress } from './contract-address.ts'
import { CURATED_ASSETS } from './curated-assets.ts'
import { contracts, issued } from './curated-contracts.ts'
import { natives } from './curated-natives.ts'
import { KNOWN_COLLISIONS } from './known-collisions.ts'

const assets = [...CURATED_ASSETS.values()]

test('the curated list has 300 assets, each once, with the spelling that venues use and words of its name', () => {
  expect(assets.length).toBeGreaterThanOrEqual(300)
  expect(natives.length + contracts.length + issued.length).toBe(assets.length)
  for (const { symbol, words, source } of assets) {
    expect(symbol).toMatch(/^[A-Z0-9]{2,8}$/)
    expect(source).toMatch(/^(SLIP-0044 .* \d+|issuer: .+\..+|contract [a-z]+:0x[0-9a-fA-F]{40})$/)
    expect(words.length).toBeGreaterThan(0)
    for (const word of words) expect(word).toMatch(/^[a-z0-9]+$/)
  }
})

test('no two curated assets have one reference', () => {
  const types = natives.map(([, type]) => type)
  expect(new Set(types).size).toBe(types.length)
  const keys = assets.flatMap(({ contract }) => contract ?? []).map((one) => Object.values(one).join(' ').toLowerCase())
  expect(new Set(keys).size).toBe(keys.length)
})

test('each contract has a right checksum and is of a known chain', () => {
  for (const { symbol, contract } of assets) {
    if (contract === null) continue
    expect(isAddress(contract.address, { strict: true }), symbol).toBe(true)
    expect(chainOf(contract.chain)?.name, symbol).toBe(contract.chain)
    expect(contractAddress(contract.chain, contract.address), symbol).not.toBe(null)
  }
})

test('no curated ticker is one that two assets have carried', async () => {
  for (const ticker of KNOWN_COLLISIONS.keys()) expect(CURATED_ASSETS.has(ticker), ticker).toBe(false)
  for (const { ccxt } of venueFiles.values()) {
    const { client } = await ccxtClient(ccxt, { baseUrl: null, timeoutMs: 1_000, now: () => 0 })
    // ccxt gives a venue's ticker another code where it denotes another asset than elsewhere.
    for (const [ticker, code] of Object.entries(client['commonCurrencies'] as Readonly<Record<string, string>>))
      expect(ticker === code || !CURATED_ASSETS.has(ticker), `${ccxt} ${ticker}`).toBe(true)
  }
})
