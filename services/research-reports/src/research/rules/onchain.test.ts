import { expect, test } from 'vitest'
import { codeSizeCall, isOnChain, onchainOf, readOf } from './onchain.ts'

const address = '0x50D1c9771902476076eCFc8B2A83Ad6b9355a4c9'
const contract = { chain: 'ethereum', address }
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
const readAt = '2026-11-21T08:38:00.000Z'

test('an address is read on the chain that its approved name means, and on no other', () => {
  expect(isOnChain(contract, 1)).toBe(true)
  expect(isOnChain(contract, 8453)).toBe(false)
  expect(isOnChain({ ...contract, chain: 'solana' }, 1)).toBe(false)
  expect(isOnChain({ ...contract, address: 'native' }, 1)).toBe(false)
})

test('supply, decimals and code are those that the contract returns', () => {
  const read = readOf({ codeSize: word(3_000n), totalSupply: word(10n ** 27n), decimals: word(18n), readAt })
  expect(onchainOf(contract, read)).toEqual({
    reason: null,
    value: {
      blockchain: 'ethereum',
      contract_address: address,
      total_supply: '1000000000000000000000000000',
      decimals: 18,
      code_present: true,
      read_at: readAt,
    },
  })
})

test('a figure that a contract does not return, or returns in another form, is unknown; missing code is known', () => {
  const read = readOf({ codeSize: word(0n), totalSupply: '0x', decimals: word(256n), readAt })
  expect(onchainOf(contract, read)).toMatchObject({
    reason: null,
    value: { total_supply: null, decimals: null, code_present: false },
  })
  expect(readOf({ codeSize: null, totalSupply: null, decimals: null, readAt })).toEqual({ state: 'chain_unavailable' })
})

test('no figure is known without an approved address, for a chain that is not indexed, or without the chain', () => {
  expect(onchainOf(null, null)).toEqual({ reason: 'no_approved_address', value: null })
  expect(onchainOf(contract, { state: 'not_indexed' }).reason).toBe('not_indexed')
  expect(onchainOf(contract, { state: 'chain_unavailable' }).reason).toBe('chain_unavailable')
})

test('the size of code is asked for with code that names the address and returns one word', () => {
  expect(codeSizeCall(address)).toBe('0x7350d1c9771902476076ecfc8b2a83ad6b9355a4c93b60005260206000f3')
})
