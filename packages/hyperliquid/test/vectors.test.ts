import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { deriveAccount, parseSeed } from '../src/derive-key.ts'
import { signL1 } from '../src/l1.ts'
import { normalizeSignature, splitSignature } from '../src/signature.ts'
import { signerOf, typedDataOf, type UserSignedAction } from '../src/user-signed.ts'
import vectors from './fixtures/vectors.json' with { type: 'json' }

/** Key of the venue's published examples. */
const account = privateKeyToAccount(vectors.key as `0x${string}`)

describe('signatures that two independent programs made', () => {
  for (const vector of vectors.l1)
    for (const network of ['mainnet', 'testnet'] as const)
      test(`${vector.name}, expiry ${vector.expiresAfter}, ${network}: hash and signature are equal`, async () => {
        const { action, nonce, expiresAfter } = vector
        const signed = await signL1({ account, network, action, nonce, expiresAfter })
        expect(signed.hash).toBe(vector.hash)
        const body = JSON.parse(signed.body) as { signature: unknown }
        expect(body.signature).toEqual(normalizeSignature(vector.signatures[network]))
      })

  for (const vector of vectors.userSigned)
    test(`${vector.name}: the signature is equal, and names its signer`, async () => {
      const action = vector.action as unknown as UserSignedAction
      const hex = await account.signTypedData(typedDataOf(action) as Parameters<typeof account.signTypedData>[0])
      const signature = splitSignature(hex)
      expect(signature).toEqual(normalizeSignature(vector.signature))
      expect(await signerOf(action, signature)).toBe(account.address)
    })
})

describe('keys derived from a seed', () => {
  test.each([
    ['11', 'mnd_abc123', 0, '0x9e9cdFa4703345Dd9313E61CC857aDA23930F955'],
    ['11', 'mnd_abc123', 1, '0x976F95bCcd195671C5d9fb3ec5Cb01615485E912'],
    ['11', 'mnd_abc124', 0, '0x74bcC83Af616d5b8AE5d75e4e20375b50E33FF48'],
    ['22', 'mnd_abc123', 0, '0x904e5296c008ADd81677c7531BCAd57797762C64'],
  ])('seed of bytes %s, %s, epoch %i has the address %s', (byte, identifier, epoch, address) => {
    const seed = parseSeed(`0x${byte.repeat(32)}`)
    expect(deriveAccount(seed ?? new Uint8Array(), 'svc/hl-leg/v1', identifier, epoch).address).toBe(address)
  })

  test.each(['', '11', `${'1'.repeat(63)}g`, '0'.repeat(64), `0x${'1'.repeat(66)}`, ` ${'1'.repeat(64)}`])(
    'the text %j is not a seed',
    (text) => {
      expect(parseSeed(text)).toBeNull()
    },
  )

  test('an identifier with a separator is rejected: it could name the key of another', () => {
    const seed = parseSeed('1'.repeat(64)) ?? new Uint8Array()
    expect(() => deriveAccount(seed, 'salt', 'mnd_a|0', 0)).toThrow('identifier')
  })
})
