import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import type { Hex } from './ecdsa.ts'
import { isSignature, judgeEcdsa, personalHash } from './ecdsa.ts'
import type { Wallet } from './wallet-address.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const wallet = account.address.toLowerCase() as Wallet
const flip = (signature: Hex): Hex => {
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`)
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${signature.endsWith('1b') ? '1c' : '1b'}` as Hex
}

test('a signature of the wallet is judged as signed and its second forms as malleable, for every message', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), async (message) => {
      const signature = await account.signMessage({ message })
      const hash = personalHash(message)
      expect(await judgeEcdsa(hash, signature, wallet)).toBe('signed')
      expect(await judgeEcdsa(hash, flip(signature), wallet)).toBe('malleable')
      const low = signature.endsWith('1b') ? '00' : '01'
      expect(await judgeEcdsa(hash, `${signature.slice(0, 130)}${low}` as Hex, wallet)).toBe('malleable')
      expect(await judgeEcdsa(personalHash(`${message}.`), signature, wallet)).toBe('other')
    }),
    { numRuns: 20 },
  )
})

test('a broken signature is judged as nobody’s', async () => {
  const hash = personalHash('x')
  const good = await account.signMessage({ message: 'x' })
  const zero = '0'.repeat(64)
  const order = ORDER.toString(16)
  for (const bad of [
    '0x00',
    `0x${zero}${zero}1b`,
    `0x${order}${good.slice(66)}`,
    `${good.slice(0, 66)}${order}1b`,
    `${good.slice(0, 130)}1d`,
    good.slice(0, 130),
    `${good}00`,
  ]) {
    expect(await judgeEcdsa(hash, bad as Hex, wallet)).toBe('other')
  }
})

test('only hex bytes of a bounded length are accepted as a signature', () => {
  expect(isSignature('0x00')).toBe(true)
  for (const bad of ['', '0x', '0x0', 'ab', '0xzz', `0x${'00'.repeat(8193)}`]) expect(isSignature(bad)).toBe(false)
})
