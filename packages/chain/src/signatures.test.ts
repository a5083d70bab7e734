import fc from 'fast-check'
import { hashMessage, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { judgeSignature, takesSignature } from './signatures.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const flipped = (signature: Hex): Hex => {
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.endsWith('1b') ? '1c' : '1b'
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}` as Hex
}

test('a signature of the wallet is signed, its second forms are malleable, over every digest', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), async (text) => {
      const digest = hashMessage(text)
      const signature = await account.sign({ hash: digest })
      expect(await judgeSignature(digest, signature, account.address)).toBe('signed')
      expect(await judgeSignature(digest, flipped(signature), account.address)).toBe('malleable')
      const low = signature.endsWith('1b') ? '00' : '01'
      expect(await judgeSignature(digest, `${signature.slice(0, 130)}${low}` as Hex, account.address)).toBe('malleable')
      expect(await judgeSignature(hashMessage(`${text}.`), signature, account.address)).toBe('other')
    }),
    { numRuns: 20 },
  )
})

test('bytes that no key could have signed are judged as other', async () => {
  const digest = hashMessage('x')
  const good = await account.sign({ hash: digest })
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
  ])
    expect(await judgeSignature(digest, bad as Hex, account.address)).toBe('other')
})

test('takesSignature accepts only the result 1 of a contract wallet', () => {
  expect(['0x01', `0x${'0'.repeat(63)}1`].map((answer) => takesSignature(answer as Hex))).toEqual([true, true])
  expect(['0x', '0x00', '0x11', '0x1626ba7e'].map((answer) => takesSignature(answer as Hex))).toEqual([
    false,
    false,
    false,
    false,
  ])
})
