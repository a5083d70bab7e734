import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getAddress } from 'viem/utils'
import { judgeAddress } from './contract-address.ts'

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

describe('contract address', () => {
  it.each([
    ['ethereum', USDC],
    ['ethereum', USDC.toLowerCase()],
    ['ethereum', 'native'],
    ['solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
    ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    ['ton', 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'],
    ['stellar', 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'],
    ['xrp_ledger', 'rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B'],
    ['tezos', 'KT1PWx2mnDueood7fEmfbBDKx1D9BAnnXitn'],
    ['aptos', '0x1::aptos_coin::AptosCoin'],
    ['near', 'wrap.near'],
    ['algorand', '31566704'],
    ['hedera', '0.0.456858'],
    ['osmosis', 'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2'],
    ['multiversx', 'WEGLD-bd4d79'],
  ])('accepts on %s: %s', (chain, address) => {
    expect(judgeAddress(address, chain)).toMatchObject({ ok: true })
    expect(judgeAddress(address, null).ok || ['algorand', 'near'].includes(chain)).toBe(true)
  })

  it.each([
    ['ethereum', '0xa0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
    ['ethereum', '0x0000000000000000000000000000000000000000'],
    ['ethereum', '0x1234'],
    ['solana', USDC],
    ['solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEG'],
    ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u'],
    ['ton', 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDt'],
    ['stellar', 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVM'],
    ['xrp_ledger', 'rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59C'],
    ['bitcoin', USDC],
    ['nowhere', USDC],
  ])('refuses on %s: %s', (chain, address) => {
    expect(judgeAddress(address, chain).ok).toBe(false)
  })

  it('accepts every EIP-55 address and refuses it with one letter of the other case', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-f]{40}$/), fc.nat(39), (hex, place) => {
        const address = getAddress(`0x${hex}`)
        const digits = address.slice(2)
        fc.pre(/[a-f]/.test(digits) && /[A-F]/.test(digits))
        expect(judgeAddress(address, 'ethereum')).toEqual({ ok: true, checksummed: true })
        const letter = digits.charAt(place)
        const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
        const changed = `0x${digits.slice(0, place)}${flipped}${digits.slice(place + 1)}`
        fc.pre(
          changed !== address &&
            changed.slice(2) !== changed.slice(2).toLowerCase() &&
            changed.slice(2) !== changed.slice(2).toUpperCase(),
        )
        expect(judgeAddress(changed, 'ethereum').ok).toBe(false)
      }),
    )
  })

  it('judges any text without throwing', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.constantFrom(null, 'ethereum', 'ton', 'near', 'cosmos', 'eos'),
        (text, chain) => {
          expect(typeof judgeAddress(text, chain).ok).toBe('boolean')
        },
      ),
    )
  })
})
