import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Challenge, Intent, Purpose } from './sign-in-message.ts'
import { expiryOf, readMessage, writeMessage } from './sign-in-message.ts'
import { checksummed } from './wallet-address.ts'

const site = { publicUrl: 'https://svc.example:8443', chainId: 1 }
const wallet = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
const challenge: Challenge = {
  wallet,
  purpose: 'register',
  nonce: 'abcDEF0123456789',
  issuedAt: new Date('2026-11-21T09:00:00.000Z'),
}
const now = new Date('2026-11-21T09:01:00.000Z')
const expected = { site, wallet, purpose: 'register', now } as const
const message = writeMessage(site, challenge)

test('the message is the text that EIP-4361 describes', () => {
  expect(message).toBe(`svc.example:8443 wants you to sign in with your Ethereum account:
0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed

Register this wallet as an agent account and create its first API key.

URI: https://svc.example:8443
Version: 1
Chain ID: 1
Nonce: abcDEF0123456789
Issued At: 2026-11-21T09:00:00.000Z
Expiration Time: 2026-11-21T09:05:00.000Z`)
})

test('every message that we write is accepted for its site, wallet and purpose', () => {
  const purposes = fc.oneof(
    fc.constantFrom<Intent>('register', 'key', 'session'),
    fc.record({ link: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) }),
  )
  const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 })
  fc.assert(
    fc.property(
      purposes,
      bytes,
      fc.stringMatching(/^[0-9A-Za-z]{8,32}$/),
      fc.integer({ min: 1, max: 2 ** 31 }),
      (purpose, raw, nonce, chainId) => {
        const own = `0x${Buffer.from(raw).toString('hex')}` as const
        const here = { publicUrl: 'http://127.0.0.1:8080', chainId }
        const text = writeMessage(here, { wallet: own, purpose, nonce, issuedAt: challenge.issuedAt })
        expect(readMessage(text, { site: here, wallet: own, purpose, now })).toEqual({ nonce })
      },
    ),
  )
})

const other = '0xd1220a0cf47c7b9be7a2e6ba89f429762e7b9adb'
test.each([
  ['another domain', { ...expected, site: { ...site, publicUrl: 'https://evil.example:8443' } }, 'domain'],
  ['another port', { ...expected, site: { ...site, publicUrl: 'https://svc.example' } }, 'domain'],
  ['another scheme', { ...expected, site: { ...site, publicUrl: 'http://svc.example:8443' } }, 'uri'],
  ['another chain', { ...expected, site: { ...site, chainId: 10 } }, 'chain_id'],
  ['another wallet', { ...expected, wallet: other as `0x${string}` }, 'wallet'],
  ['another purpose', { ...expected, purpose: 'session' as Purpose }, 'purpose'],
  ['its last moment', { ...expected, now: expiryOf(challenge) }, 'expired'],
] as const)('a message for %s is refused', (_name, against, problem) => {
  expect(readMessage(message, against)).toEqual({ problem })
})

test.each([
  ['a scheme before the domain', message.replace('svc.example', 'https://svc.example'), 'extra'],
  ['a not-before time', `${message}\nNot Before: 2026-11-21T09:00:00.000Z`, 'extra'],
  ['a request id', `${message}\nRequest ID: 1`, 'extra'],
  ['resources', `${message}\nResources:\n- https://evil.example`, 'extra'],
  ['no expiry', message.replace(/\nExpiration Time.*$/, ''), 'expired'],
  ['no statement', message.replace(/\nRegister.*\n/, ''), 'malformed'],
  ['another version', message.replace('Version: 1', 'Version: 2'), 'malformed'],
  ['Windows line ends', message.replaceAll('\n', '\r\n'), 'malformed'],
  ['a trailing line end', `${message}\n`, 'malformed'],
  ['a short nonce', message.replace('abcDEF0123456789', 'abcDEF0'), 'malformed'],
  ['a nonce with a dash', message.replace('abcDEF0123456789', 'abcDEF-123456789'), 'malformed'],
  ['a lower-case address', message.replace(checksummed(wallet), wallet), 'malformed'],
  ['a chain id in hex', message.replace('Chain ID: 1', 'Chain ID: 0x1'), 'malformed'],
  ['an impossible date', message.replaceAll('2026-11-21', '2026-02-30'), 'malformed'],
  ['members in another order', message.replace('Version: 1\nChain ID: 1', 'Chain ID: 1\nVersion: 1'), 'malformed'],
  ['text before it', `x\n${message}`, 'malformed'],
  ['a null character', message.replace('Nonce', '\u0000Nonce'), 'malformed'],
  ['nothing', '', 'malformed'],
])('a message with %s is refused', (_name, text, problem) => {
  expect(readMessage(text, expected)).toEqual({ problem })
})

test('a message that links an account is refused for another account and for every other purpose', () => {
  const linking = writeMessage(site, { ...challenge, purpose: { link: 17 } })
  expect(readMessage(linking, { ...expected, purpose: { link: 17 } })).toEqual({ nonce: challenge.nonce })
  for (const purpose of [{ link: 171 }, { link: 1 }, 'register', 'key', 'session'] as const)
    expect(readMessage(linking, { ...expected, purpose })).toEqual({ problem: 'purpose' })
  expect(readMessage(message, { ...expected, purpose: { link: 17 } })).toEqual({ problem: 'purpose' })
})

test('no change of one character keeps a message acceptable with the same nonce', () => {
  fc.assert(
    fc.property(
      fc.nat(message.length - 1),
      fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 1 }),
      (at, character) => {
        fc.pre(message[at] !== character)
        const changed = message.slice(0, at) + character + message.slice(at + 1)
        const read = readMessage(changed, expected)
        const times = /Issued At|Expiration Time/
        const inTimes = times.test(message.slice(message.lastIndexOf('\n', at) + 1).split('\n')[0] ?? '')
        if ('nonce' in read && !inTimes) expect(read.nonce).not.toBe(challenge.nonce)
      },
    ),
  )
})
