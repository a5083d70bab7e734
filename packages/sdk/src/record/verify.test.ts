import { createHash } from 'node:crypto'
import { foreignKeys, forgedJws, goodJws } from '@svc/testing/forged-jws'
import {
  emptyRecord,
  forgedRecords,
  goodHead,
  goodRecord,
  recordKeys,
  recordOfEditions,
  recordWithJws,
  soundRecords,
  textsOf,
} from '@svc/testing/forged-records'
import { describe, expect, test, vi } from 'vitest'
import { fingerprintOf, type PublishedKey } from './jws.ts'
import { EmptyRecord, verifyRecord } from './verify.ts'

const keys = recordKeys as readonly PublishedKey[]

test.each(soundRecords.map((record) => [record.title, record] as const))(
  'a record as the service writes it verifies: %s',
  async (_title, { files, entries, later = null }) => {
    const verified = await verifyRecord(textsOf(files), keys, later)
    expect(verified).toMatchObject({ signature: 'good', key: { kid: 'k1' } })
    expect(verified.entries).toHaveLength(entries)
  },
)

describe('a forged record is refused for', () => {
  test.each(forgedRecords.map((record) => [record.title, record] as const))(
    '%s',
    async (_title, { files, later = null, fault }) => {
      await expect(verifyRecord(textsOf(files), keys, later)).rejects.toMatchObject({ name: 'RecordProblem', fault })
    },
  )
})

test.each(forgedJws(goodHead))('a record whose head has a forged signature is refused: %s', async (_title, jws) => {
  const verifying = verifyRecord(textsOf([recordWithJws(jws)]), keys)
  await expect(verifying).rejects.toMatchObject({ name: 'RecordProblem', fault: expect.stringMatching(/^signature_/) })
})

test.each(foreignKeys('k1').map(({ title, ...one }) => [title, one] as const))(
  'no signature holds under a published key of another kind: %s',
  async (_title, { key, sign }) => {
    const [header = '', content = ''] = goodJws(goodHead).split('.')
    const record = recordWithJws(`${header}.${content}.${sign(`${header}.${content}`)}`)
    await expect(verifyRecord(textsOf([record]), [key as PublishedKey])).rejects.toMatchObject({
      name: 'RecordProblem',
    })
  },
)

test('an empty record cannot be checked: nobody signed that there is nothing', async () => {
  await expect(verifyRecord(textsOf([emptyRecord]), keys)).rejects.toBeInstanceOf(EmptyRecord)
})

test('a browser without Ed25519 is told apart from a bad signature, and hashes are still checked', async () => {
  const importKey = vi
    .spyOn(crypto.subtle, 'importKey')
    .mockRejectedValue(new DOMException('unknown algorithm', 'NotSupportedError'))
  await expect(verifyRecord(textsOf([goodRecord]), keys)).resolves.toMatchObject({
    signature: 'unsupported',
    key: null,
  })
  const changed = goodRecord.map((line) => line.replace('"amount":"5"', '"amount":"6"'))
  await expect(verifyRecord(textsOf([changed]), keys)).rejects.toMatchObject({ fault: 'entry_changed' })
  importKey.mockRestore()
})

test('the edition of the clauses is read from each signature of terms, and is the first where none is named', async () => {
  const { terms } = await verifyRecord(textsOf([recordOfEditions(undefined, 1, 2, 2)]), keys)
  expect(terms.map(({ seq, edition }) => [seq, edition])).toEqual([
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
  ])
})

test('the fingerprint of a key is the SHA-256 of its thumbprint form', async () => {
  const [key = {}] = keys
  const form = `{"crv":"Ed25519","kty":"OKP","x":"${key.x}"}`
  expect(await fingerprintOf(key)).toBe(createHash('sha256').update(form).digest('hex'))
})
