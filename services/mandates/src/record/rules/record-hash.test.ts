import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson, recordHash, type RecordEntry } from './record-hash.ts'

const entry: RecordEntry = {
  version: 1,
  mandate: 'mdt_1',
  seq: 1,
  at: '2026-11-21T10:00:00.000Z',
  kind: 'drafted',
  source: 'owner',
  tx_hash: null,
  body: { name: 'é\n' },
  previous: '',
}

test('members are ordered by UTF-16 code units and strings escaped as RFC 8785 says', () => {
  // The example of RFC 8785, section 3.2.3.
  const given = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\u{1f600}': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  }
  expect(Object.values(JSON.parse(canonicalJson(given)) as object).join('|')).toContain('One')
  expect(canonicalJson(given)).toBe(
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis",' +
      '"\u20ac":"Euro Sign","\u{1f600}":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  )
})

test('the form does not depend on the order of members, and reads back as the same value', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.maxSafeInteger(), fc.boolean())), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).toReversed())
      expect(canonicalJson(reversed)).toBe(canonicalJson(value))
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
    { seed: 1 },
  )
})

test('what other readers would write differently is no record', () => {
  for (const bad of [1.5, Number.NaN, 2 ** 60, undefined, 1n, '\ud800', { a: undefined }])
    expect(() => canonicalJson(bad)).toThrow(/record|canonical/)
})

test('every member of an entry changes its hash', () => {
  const changes: Partial<RecordEntry>[] = [
    { mandate: 'mdt_2' },
    { seq: 2 },
    { at: '2026-11-21T10:00:00.001Z' },
    { kind: 'x' },
    { source: 'agent' },
    { tx_hash: '0x1' },
    { body: {} },
    { previous: '00' },
  ]
  const hashes = [entry, ...changes.map((change) => ({ ...entry, ...change }))].map(recordHash)
  expect(new Set(hashes).size).toBe(hashes.length)
  expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/)
})
