import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { canonical, RecordProblem, verifyRecord, type Entry } from './verify.ts'

const MANDATE = `mdt_${'1'.repeat(32)}`
const VAULT = `0x${'11'.repeat(20)}`
const OTHER_VAULT = `0x${'22'.repeat(20)}`
const TX = `0x${'33'.repeat(32)}`
const AT = '2026-11-21T10:00:00.000Z'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('ed25519')
const jwk = (key: KeyObject, kid = 'k1') => ({ ...key.export({ format: 'jwk' }), kid })
const keys = [jwk(publicKey)]

interface Head {
  readonly mandate: string
  readonly seq: number
  readonly hash: string
  readonly chain: object | null
  readonly signed_at: string
}
const jwsOf = (head: object, { key = privateKey, kid = 'k1', typ = 'record-head+json', alg = 'EdDSA' } = {}) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const input = `${part({ alg, typ, kid })}.${part(head)}`
  return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`
}

type Told = Pick<Entry, 'kind' | 'source' | 'tx_hash' | 'body'>
const chainBody = { chain_id: 31_337, vault: VAULT }
const told: readonly Told[] = [
  { kind: 'vault_attached', source: 'owner', tx_hash: TX, body: chainBody },
  {
    kind: 'chain_fact',
    source: 'chain',
    tx_hash: TX,
    body: { ...chainBody, name: 'Deposited', args: { amount: '5' } },
  },
  { kind: 'event', source: 'agent', tx_hash: null, body: { kind: 'note', note: 'čau \u{1f600}', counted: false } },
]

const chained = (things: readonly Told[], mandate = MANDATE) => {
  let previous = ''
  return things.map((thing, at) => {
    const entry: Entry = { version: 1, mandate, seq: at + 1, at: AT, ...thing, previous }
    previous = createHash('sha256').update(canonical(entry)).digest('hex')
    return { type: 'entry', hash: previous, entry }
  })
}

/** A record as the service writes it; `more` goes over its head line. */
const recordOf = (
  things: readonly Told[],
  more: { head?: object; line?: object; mandate?: string; signed?: object } = {},
) => {
  const mandate = more.mandate ?? MANDATE
  const entries = chained(things, mandate)
  const chain = things.length === 0 ? null : chainBody
  const content: Head = {
    mandate,
    seq: entries.length,
    hash: entries.at(-1)?.hash ?? '',
    chain,
    signed_at: AT,
    ...more.signed,
  }
  const head = { seq: content.seq, hash: content.hash, jws: entries.length === 0 ? null : jwsOf(content) }
  const first = {
    type: 'head',
    mandate,
    chain,
    head: { ...head, ...more.head },
    exported_at: AT,
    ...more.line,
  }
  return [first, ...entries].map((line) => JSON.stringify(line))
}
const signedHead = (lines: readonly string[]): Head => {
  const { mandate, head } = JSON.parse(lines[0] ?? '') as { mandate: string; head: Head }
  return { mandate, seq: head.seq, hash: head.hash, chain: chainBody, signed_at: AT }
}
const verifyFiles = (files: readonly (readonly string[])[], by: Parameters<typeof verifyRecord>[1] = keys) =>
  verifyRecord(
    files.map((lines) => `${lines.join('\n')}\n`),
    by,
  )
const verify = (lines: readonly string[], by?: Parameters<typeof verifyRecord>[1]) => verifyFiles([lines], by)

const good = recordOf(told)
const [head = '', one = '', two = '', three = ''] = good
const content = signedHead(good)

test('a vault that took the place of one that is gone is the vault of the record, and the head must name it', () => {
  const other = { chain_id: 31_337, vault: OTHER_VAULT }
  const gone = { kind: 'chain_fact_orphaned', source: 'chain', tx_hash: TX, body: chainBody } as const
  const made = { kind: 'vault_attached', source: 'owner', tx_hash: TX, body: other } as const
  const moved = [...told, gone, made, { ...told[1], body: { ...told[1]?.body, ...other } } as Told]
  expect(verify(recordOf(moved, { line: { chain: other }, signed: { chain: other } })).entries).toHaveLength(6)
  expect(() => verify(recordOf(moved))).toThrow(/^the head names vault 0x11.*attach vault 0x22/)
})

test('a record as the service writes it verifies, by its key and without one', () => {
  expect(verify(good)).toMatchObject({ signature: 'good', entries: told.map(({ kind }) => ({ kind })) })
  expect(verify(good, null)).toMatchObject({ signature: 'not checked' })
  expect(verify(recordOf([]), null)).toMatchObject({ signature: 'absent', entries: [] })
})

test('a record in several files verifies in their order, up to the last head', () => {
  const [older = ''] = recordOf(told.slice(0, 2))
  const rest = [head, three]
  expect(verifyFiles([[older, one, two], rest]).entries).toEqual(verify(good).entries)
  expect(verifyFiles([[head, one], [head, two], rest]).entries).toHaveLength(3)
  const [forged = ''] = recordOf(told.slice(0, 2), { head: { hash: '0'.repeat(64) } })
  const [foreign = ''] = recordOf(told, { mandate: `mdt_${'2'.repeat(32)}` })
  const cases: readonly (readonly [readonly (readonly string[])[], string])[] = [
    [[[head, one]], 'the head names entry 3, but the record ends with 1; a longer one is downloaded on with ?since=1'],
    [[rest, [older, one, two]], 'entry 1 is missing: 3 stands in its place'],
    [[[head, one], rest], 'entry 2 is missing: 3 stands in its place'],
    [[good, [older]], 'the head names entry 2, but the record ends with 3'],
    [[[forged, one, two], rest], 'the head names another hash than that of entry 2'],
    [[good, [foreign]], 'the heads are of different mandates'],
  ]
  for (const [files, found] of cases) expect(() => verifyFiles(files)).toThrow(found)
})

describe('a forged record is refused for', () => {
  const otherEntries = recordOf(told, { mandate: `mdt_${'2'.repeat(32)}` }).slice(1)
  const withLine = (line: object) => [JSON.stringify({ ...(JSON.parse(head) as object), ...line }), one, two, three]
  const withJws = (jws: string | null) => recordOf(told, { head: { jws } })
  const badSignature = jwsOf(content).split('.').with(2, Buffer.alloc(64).toString('base64url')).join('.')
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ['an entry that was edited', [head, one, two, three.replace('"note":"', '"note":"not ')], 'entry 3 was changed'],
    ['a hash that was edited', [head, one, two.replace(/"hash":"./, '"hash":"'), three], 'line 3: hash'],
    ['an entry that was dropped', [head, one, three], 'entry 2 is missing: 3 stands in its place'],
    ['entries in another order', [head, two, one, three], 'entry 1 is missing: 2 stands in its place'],
    ['an entry that comes twice', [head, one, one, two, three], 'entry 2 is missing: 1 stands in its place'],
    ['a tail that was cut off', [head, one, two], 'the head names entry 3, but the record ends with 2'],
    ['everything cut off', [head], 'the head names entry 3, but the record ends with 0'],
    ['entries of another mandate', [head, ...otherEntries], 'entry 1 is of another mandate'],
    ['another mandate in its head', withLine({ mandate: `mdt_${'2'.repeat(32)}` }), 'entry 1 is of another mandate'],
    ['a head without its vault', withLine({ chain: null }), 'the head names no vault'],
    ['a head with another vault', withLine({ chain: { ...chainBody, vault: OTHER_VAULT } }), `vault ${OTHER_VAULT}`],
    ['a head with another chain', withLine({ chain: { ...chainBody, chain_id: 1 } }), 'of chain 1'],
    ['a head with another hash', recordOf(told, { head: { hash: '0'.repeat(64) } }), 'the head names another hash'],
    ['no head', [one, two, three], 'the first line is not the head'],
    ['two heads', [head, head, one, two, three], 'line 2 is not an entry'],
    ['no lines', [], 'line 1 is no line of a record'],
    ['a line that was cut', [head, one, two, three.slice(0, -20)], 'line 4 is no line of a record'],
    ['words beside an entry', [head, one.replace('"entry":{', '"entry":{"note":"paid",'), two, three], 'line 2: entry'],
    ['words beside the head', [head.replace('{', '{"owner":"me",'), one, two, three], 'line 1: '],
    ['a doubled member', [head, one.replace('"type"', '"hash":"","type"'), two, three], 'line 2 is not as the service'],
    ['a fraction', [head, one, two.replace('"amount":"5"', '"amount":0.5'), three], 'not a whole number'],
    ['a chain made anew', recordOf(told.slice(0, 2), { head: { jws: jwsOf(content) } }), 'is over another head'],
    ['a missing signature', withJws(null), 'the head carries no signature'],
    ['a signature of another record', withJws(jwsOf({ ...content, seq: 9 })), 'is over another head'],
    ['a signature by another key', withJws(jwsOf(content, { key: stranger.privateKey })), 'is not good'],
    ['a signature that was edited', withJws(badSignature), 'is not good'],
    ['a signature by an unknown key', withJws(jwsOf(content, { kid: 'k2' })), 'the keys hold none with id k2'],
    ['a session in place of a signature', withJws(jwsOf(content, { typ: 'JWT' })), 'of another kind'],
    ['no algorithm', withJws(jwsOf(content, { alg: 'none' })), 'of another kind'],
    ['words in place of a signature', withJws('signed'), 'cannot be read'],
    ['half a signature', withJws(jwsOf(content).split('.').slice(0, 2).join('.')), 'of another kind'],
  ]
  test.each(cases)('%s', (_name, lines, found) => {
    expect(() => verify(lines)).toThrow(RecordProblem)
    expect(() => verify(lines)).toThrow(found)
  })

  test('facts of another vault', () => {
    const foreign = { ...(told[1] as Told), body: { ...chainBody, vault: OTHER_VAULT, name: 'Deposited', args: {} } }
    expect(() => verify(recordOf([told[0] as Told, foreign]))).toThrow(`entry 2 is a fact of vault ${OTHER_VAULT}`)
  })
})

test('a record cut back to an older head that was signed is found by its time, and by any later head', () => {
  const older = '2026-11-18T10:00:00.000Z'
  const cut = recordOf(told.slice(0, 2), { signed: { signed_at: older } })
  expect(() => verify(cut)).toThrow('the head was signed at 2026-11-18T10:00:00.000Z and the record exported at')
  // The line beside the head is under no signature: it can say an older time, too.
  const dated = recordOf(told.slice(0, 2), { signed: { signed_at: older }, line: { exported_at: older } })
  expect(verify(dated)).toMatchObject({ signature: 'good', signedAt: older })
  const file = (lines: readonly string[]) => [`${lines.join('\n')}\n`]
  expect(() => verifyRecord(file(dated), keys, jwsOf(content))).toThrow(
    `the record was cut back: it ends with entry 2, and a head of entry 3 was signed at ${AT}`,
  )
  expect(() => verifyRecord(file(good), keys, jwsOf({ ...content, seq: 2 }))).toThrow(
    'the record was rewritten: entry 2',
  )
  expect(verifyRecord(file(good), keys, jwsOf(content)).signature).toBe('good')
})

test('a head that was signed for another chain or vault is another head', () => {
  expect(() => verify(recordOf(told, { signed: { chain: { ...chainBody, chain_id: 1 } } }))).toThrow(
    'over another head',
  )
  expect(() => verify(recordOf(told, { signed: { chain: null } }))).toThrow('over another head')
})

test('an empty record cannot be checked by a key: nobody signed that there is nothing', () => {
  const found = (() => {
    try {
      return verify(recordOf([]))
    } catch (error) {
      return error
    }
  })()
  expect(found).not.toBeInstanceOf(RecordProblem)
  expect(found).toMatchObject({ message: expect.stringContaining('an empty record carries no signature') })
})
