import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checksummed, parseWallet } from './wallet-address.ts'

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)

test('checksums equal the test vectors of EIP-55', () => {
  for (const vector of [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
  ]) {
    expect(checksummed(vector)).toBe(vector)
    expect(parseWallet(vector)).toEqual({ wallet: vector.toLowerCase() })
  }
})

test('an address in lower case, in upper case and with its checksum is the same wallet', () => {
  fc.assert(
    fc.property(address, (lower) => {
      fc.pre(!/^0x0+$/.test(lower))
      for (const form of [lower, `0x${lower.slice(2).toUpperCase()}`, checksummed(lower)]) {
        expect(parseWallet(form)).toEqual({ wallet: lower })
      }
    }),
  )
})

test('an address with a wrong checksum or shape, and the zero address, are refused', () => {
  expect(parseWallet('0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toEqual({ problem: 'checksum' })
  expect(parseWallet('5aaeb6053f3e94c9b9a09f33669435e7ef1beaed')).toEqual({ problem: 'shape' })
  expect(parseWallet('0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed\n')).toEqual({ problem: 'shape' })
  expect(parseWallet(`0x${'0'.repeat(40)}`)).toEqual({ problem: 'zero' })
})
