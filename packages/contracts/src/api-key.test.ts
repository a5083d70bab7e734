import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatApiKey, isApiKey } from './api-key.ts'

const random = fc.uint8Array({ minLength: 32, maxLength: 32 })
const digit = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')

test('any 32 bytes make a key of 53 characters with a valid checksum', () => {
  fc.assert(
    fc.property(random, (bytes) => {
      const key = formatApiKey(bytes)
      expect(key).toMatch(/^svc_[0-9A-Za-z]{49}$/)
      expect(isApiKey(key)).toBe(true)
    }),
  )
})

test('different bytes make different keys', () => {
  fc.assert(fc.property(random, random, (a, b) => Buffer.compare(a, b) === 0 || formatApiKey(a) !== formatApiKey(b)))
})

test('a key with one wrong character fails the checksum', () => {
  fc.assert(
    fc.property(random, fc.nat(48), digit, (bytes, at, wrong) => {
      const key = formatApiKey(bytes)
      fc.pre(key[4 + at] !== wrong)
      expect(isApiKey(key.slice(0, 4 + at) + wrong + key.slice(5 + at))).toBe(false)
    }),
  )
})

test('a key with two swapped neighbours fails the checksum', () => {
  fc.assert(
    fc.property(random, fc.nat(41), (bytes, at) => {
      const key = formatApiKey(bytes)
      const i = 4 + at
      fc.pre(key[i] !== key[i + 1])
      expect(isApiKey(key.slice(0, i) + key.charAt(i + 1) + key.charAt(i) + key.slice(i + 2))).toBe(false)
    }),
  )
})

test('a text that does not have the form of a key is rejected', () => {
  for (const text of [
    '',
    'svc_',
    'svc_short',
    `${formatApiKey(new Uint8Array(32))} `,
    `${formatApiKey(new Uint8Array(32))}\n`,
  ]) {
    expect(isApiKey(text)).toBe(false)
  }
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !isApiKey(text)))
})
