import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { foreignKeys, forgedJws, goodJws } from '@svc/testing/forged-jws'
import { describe, expect, test } from 'vitest'
import { signedContent } from './eddsa-jws.ts'

class Problem extends Error {}
const pair = generateKeyPairSync('ed25519')
const good = { typ: 'thing+json', kid: 'k1', content: { worth: 5 }, ...pair }
const keys = [{ ...pair.publicKey.export({ format: 'jwk' }), kid: 'k1' }]
const read =
  (jws: string, published: readonly JsonWebKey[] = keys) =>
  () =>
    signedContent(jws, { typ: 'thing+json', keys: published, problem: Problem })

test('a signature of a published key says its content', () => {
  expect(read(goodJws(good))()).toEqual({ worth: 5 })
})

describe('a forged signature is refused', () => {
  test.each(forgedJws(good))('%s', (_title, jws) => {
    expect(read(jws)).toThrow(Problem)
  })

  test.each(foreignKeys('k1').map(({ title, ...one }) => [title, one] as const))(
    'under a published key of another kind: %s',
    (_title, { key, sign }) => {
      const [header = '', content = ''] = goodJws(good).split('.')
      expect(read(`${header}.${content}.${sign(`${header}.${content}`)}`, [key])).toThrow(Problem)
    },
  )

  test('without a kid, under a published key that has none', () => {
    const anonymous = pair.publicKey.export({ format: 'jwk' })
    expect(read(goodJws({ ...good, kid: undefined as never }), [anonymous])).toThrow('none with id undefined')
  })
})
