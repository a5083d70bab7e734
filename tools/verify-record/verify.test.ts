import { emptyRecord, forgedRecords, goodRecord, recordKeys, soundRecords, textsOf } from '@svc/testing/forged-records'
import { describe, expect, test } from 'vitest'
import { RecordProblem, verifyRecord } from './verify.ts'

test.each(soundRecords.map((record) => [record.title, record] as const))(
  'a record as the service writes it verifies: %s',
  (_title, { files, entries, later = null }) => {
    expect(verifyRecord(textsOf(files), recordKeys, later)).toMatchObject({ signature: 'good' })
    expect(verifyRecord(textsOf(files), recordKeys, later).entries).toHaveLength(entries)
  },
)

test('without keys the signature is not checked', () => {
  expect(verifyRecord(textsOf([goodRecord]), null)).toMatchObject({ signature: 'not checked' })
  expect(verifyRecord(textsOf([emptyRecord]), null)).toMatchObject({ signature: 'absent', entries: [] })
})

describe('a forged record is refused for', () => {
  test.each(forgedRecords.map((record) => [record.title, record] as const))(
    '%s',
    (_title, { files, later = null, said }) => {
      const verify = () => verifyRecord(textsOf(files), recordKeys, later)
      expect(verify).toThrow(RecordProblem)
      expect(verify).toThrow(said)
    },
  )
})

test('a record that ends early names the way to the rest', () => {
  const [head = '', one = ''] = goodRecord
  expect(() => verifyRecord(textsOf([[head, one]]), recordKeys)).toThrow('a longer one is downloaded on with ?since=1')
})

test('an empty record cannot be checked by a key: nobody signed that there is nothing', () => {
  const found = (() => {
    try {
      return verifyRecord(textsOf([emptyRecord]), recordKeys)
    } catch (error) {
      return error
    }
  })()
  expect(found).not.toBeInstanceOf(RecordProblem)
  expect(found).toMatchObject({ message: expect.stringContaining('an empty record carries no signature') })
})
