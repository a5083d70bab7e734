import { expect, test } from 'vitest'
import { CHAINS } from './chains.ts'
import { contractAddress } from './contract-address.ts'

const addressOn = (chain: string | null, text: string) => contractAddress(chain, text)?.address ?? null

test('no two chains share a name at a venue', () => {
  const names = CHAINS.flatMap(([name, , ...aliases]) => [name, ...aliases])
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toBe(name.toLowerCase())
})

test('spellings of one address are equal, and spellings of two are not, by the rules of the chain’s family', () => {
  const usdt = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
  expect(contractAddress('ETH', usdt)).toEqual({ chain: 'ethereum', address: usdt.toLowerCase() })
  expect(contractAddress('eip155:1', usdt.toLowerCase())).toEqual(contractAddress('ERC20', ` ${usdt}`))
  const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  expect(addressOn('SOL', mint)).toBe(mint)
  expect(addressOn('SOL', mint.toLowerCase())).not.toBe(mint)
  const tether = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
  expect(addressOn('TRX', tether)).toBe(tether)
  expect(addressOn('TRX', tether.replace('7', '8'))).toBe(null)
  const [bounceable, not] = [
    'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
    'UQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_p0p',
  ]
  expect(addressOn('TON', bounceable)).toBe(addressOn('toncoin', not))
  expect(addressOn('TON', bounceable)).toBe('0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe')
  expect(addressOn('APT', '0x01::coin::T')).toBe(addressOn('aptos', '0x1::coin::T'))
  expect(addressOn('sui', '0xAB::a::A')).not.toBe(addressOn('sui', '0xab::a::a'))
})

test.each([
  ['a chain of unknown name', 'somewhere', '0x52908400098527886E0F7030069857D2E4169EE7'],
  ['the zero address', 'eth', `0x${'0'.repeat(40)}`],
  ['the placeholder of a coin', 'eth', `0x${'E'.repeat(40)}`],
  ['an address of another chain', 'eth', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['an empty text', 'eth', ''],
  ['prose', 'near', 'please see our website'],
  ['an address without a chain that is not of the EVM', null, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
])('%s is no evidence', (_what, chain, text) => {
  expect(contractAddress(chain, text)).toBe(null)
})
