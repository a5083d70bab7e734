import { createHash, generateKeyPairSync, sign, type JsonWebKey, type KeyObject } from 'node:crypto'
import type { GoodJws } from './forged-jws.ts'

// Records as the service exports them, and forged ones: one set for every verifier. Nothing here is code of a verifier or
// of the service, so that no fault is shared.

const MANDATE = `mdt_${'1'.repeat(32)}`
const OTHER_MANDATE = `mdt_${'2'.repeat(32)}`
const VAULT = `0x${'11'.repeat(20)}`
const OTHER_VAULT = `0x${'22'.repeat(20)}`
const TX = `0x${'33'.repeat(32)}`
const AT = '2026-11-21T10:00:00.000Z'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('ed25519')

/** Published keys under which the records are signed. */
export const recordKeys: readonly JsonWebKey[] = [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }]

/** A thing that an entry tells. */
export interface Told {
  readonly kind: string
  readonly source: string
  readonly tx_hash: string | null
  readonly body: Readonly<Record<string, unknown>>
}

const chainBody = { chain_id: 31_337, vault: VAULT }
/** What the entries of the good record tell. */
export const toldInRecord: readonly Told[] = [
  { kind: 'vault_attached', source: 'owner', tx_hash: TX, body: chainBody },
  {
    kind: 'chain_fact',
    source: 'chain',
    tx_hash: TX,
    body: { ...chainBody, name: 'Deposited', args: { amount: '5' } },
  },
  { kind: 'event', source: 'agent', tx_hash: null, body: { kind: 'note', note: 'čau \u{1f600}', counted: false } },
]

const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    typeof member !== 'object' || member === null || Array.isArray(member)
      ? member
      : Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1))),
  )

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

interface Signing {
  readonly key?: KeyObject
  readonly kid?: string
  readonly typ?: string
  readonly alg?: string
}
const jwsOf = (
  content: object,
  { key = privateKey, kid = 'k1', typ = 'record-head+json', alg = 'EdDSA' }: Signing = {},
) => {
  const input = `${part({ alg, typ, kid })}.${part(content)}`
  return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`
}

/** What a record differs in: `head` in its head, `line` in the line of the head, `signed` in what was signed. */
interface Differing {
  readonly head?: object
  readonly line?: object
  readonly mandate?: string
  readonly signed?: object
}

const contentOf = (things: readonly Told[], entries: readonly { readonly hash: string }[], mandate: string) => ({
  mandate,
  seq: entries.length,
  hash: entries.at(-1)?.hash ?? '',
  chain: things.length === 0 ? null : chainBody,
  signed_at: AT,
})

/** Returns the lines of a record as the service writes it. */
export function recordOf(things: readonly Told[], more: Differing = {}): readonly string[] {
  const mandate = more.mandate ?? MANDATE
  let previous = ''
  const entries = things.map((thing, at) => {
    const entry = { version: 1, mandate, seq: at + 1, at: AT, ...thing, previous }
    previous = createHash('sha256').update(sortedJson(entry)).digest('hex')
    return { type: 'entry', hash: previous, entry }
  })
  const { chain, ...content } = contentOf(things, entries, mandate)
  const head = {
    seq: content.seq,
    hash: content.hash,
    jws: entries.length === 0 ? null : jwsOf({ ...content, chain, ...more.signed }),
  }
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

/** The record that every verifier accepts. */
export const goodRecord = recordOf(toldInRecord)
const [head = '', one = '', two = '', three = ''] = goodRecord
const goodContent = (() => {
  const { mandate, head: of } = JSON.parse(head) as { mandate: string; head: { seq: number; hash: string } }
  return { mandate, seq: of.seq, hash: of.hash, chain: chainBody, signed_at: AT }
})()
const olderHead = recordOf(toldInRecord.slice(0, 2))[0] ?? ''

/** A record that must be accepted: its files in order, and the number of its entries. */
export interface SoundRecord {
  readonly title: string
  readonly files: readonly (readonly string[])[]
  readonly entries: number
  readonly later?: string
}

const otherPlace = { chain_id: 31_337, vault: OTHER_VAULT }
const moved: readonly Told[] = [
  ...toldInRecord,
  { kind: 'chain_fact_orphaned', source: 'chain', tx_hash: TX, body: chainBody },
  { kind: 'vault_attached', source: 'owner', tx_hash: TX, body: otherPlace },
  {
    kind: 'chain_fact',
    source: 'chain',
    tx_hash: TX,
    body: { ...otherPlace, name: 'Deposited', args: { amount: '5' } },
  },
]
const LONG_AGO = '2026-11-18T10:00:00.000Z'
/** Cut back to an older head, with the time beside the head cut back as well: consistent in itself. */
const cutBack = recordOf(toldInRecord.slice(0, 2), { signed: { signed_at: LONG_AGO }, line: { exported_at: LONG_AGO } })

/** Records that every verifier accepts. */
export const soundRecords: readonly SoundRecord[] = [
  { title: 'one file', files: [goodRecord], entries: 3 },
  {
    title: 'two files',
    files: [
      [olderHead, one, two],
      [head, three],
    ],
    entries: 3,
  },
  {
    title: 'three files under one head',
    files: [
      [head, one],
      [head, two],
      [head, three],
    ],
    entries: 3,
  },
  {
    title: 'a vault in the place of one that is gone',
    files: [recordOf(moved, { line: { chain: otherPlace }, signed: { chain: otherPlace } })],
    entries: 6,
  },
  { title: 'the same head seen elsewhere', files: [goodRecord], entries: 3, later: jwsOf(goodContent) },
  { title: 'an old record without a later head', files: [cutBack], entries: 2 },
]

/** A record that must be refused. */
export interface ForgedRecord {
  readonly title: string
  readonly files: readonly (readonly string[])[]
  readonly later?: string
  /** What the verifier of the command line says. */
  readonly said: string
  /** The same fault, by its code in the pages. */
  readonly fault: string
}

const withLine = (line: object) => [JSON.stringify({ ...(JSON.parse(head) as object), ...line }), one, two, three]
const withJws = (jws: string | null) => recordOf(toldInRecord, { head: { jws } })
/** Signature of the head of the good record, for forged ones in its place. */
export const goodHead: GoodJws = { typ: 'record-head+json', kid: 'k1', content: goodContent, privateKey, publicKey }
/** Returns the good record with another signature of its head. */
export const recordWithJws = (jws: string): readonly string[] => withJws(jws)
const badSignature = jwsOf(goodContent).split('.').with(2, Buffer.alloc(64).toString('base64url')).join('.')
const foreignFact: Told = {
  ...(toldInRecord[1] as Told),
  body: { ...chainBody, vault: OTHER_VAULT, name: 'Deposited' },
}
const forgedOlder = recordOf(toldInRecord.slice(0, 2), { head: { hash: '0'.repeat(64) } })[0] ?? ''
const foreignHead = recordOf(toldInRecord, { mandate: OTHER_MANDATE })[0] ?? ''
const signedFor = (signed: object) => recordOf(toldInRecord, { signed })

type Row = readonly [title: string, lines: readonly string[], said: string, fault: string]
const singleFiles: readonly Row[] = [
  [
    'an entry that was edited',
    [head, one, two, three.replace('"note":"', '"note":"not ')],
    'entry 3 was changed',
    'entry_changed',
  ],
  [
    'an amount that was edited',
    [head, one, two.replace('"amount":"5"', '"amount":"6"'), three],
    'entry 2 was changed',
    'entry_changed',
  ],
  ['a hash that was edited', [head, one, two.replace(/"hash":"./, '"hash":"'), three], 'line 3: hash', 'wrong_shape'],
  ['an entry that was dropped', [head, one, three], 'entry 2 is missing: 3 stands in its place', 'entry_missing'],
  ['entries in another order', [head, two, one, three], 'entry 1 is missing: 2 stands in its place', 'entry_missing'],
  [
    'an entry that comes twice',
    [head, one, one, two, three],
    'entry 2 is missing: 1 stands in its place',
    'entry_missing',
  ],
  ['a tail that was cut off', [head, one, two], 'the head names entry 3, but the record ends with 2', 'ends_early'],
  ['everything cut off', [head], 'the head names entry 3, but the record ends with 0', 'ends_early'],
  [
    'entries of another mandate',
    [head, ...recordOf(toldInRecord, { mandate: OTHER_MANDATE }).slice(1)],
    'entry 1 is of another mandate',
    'other_mandate',
  ],
  [
    'another mandate in its head',
    withLine({ mandate: OTHER_MANDATE }),
    'entry 1 is of another mandate',
    'other_mandate',
  ],
  ['a head without its vault', withLine({ chain: null }), 'the head names no vault', 'head_vault'],
  [
    'a head with another vault',
    withLine({ chain: { ...chainBody, vault: OTHER_VAULT } }),
    `vault ${OTHER_VAULT}`,
    'head_vault',
  ],
  ['a head with another chain', withLine({ chain: { ...chainBody, chain_id: 1 } }), 'of chain 1', 'head_vault'],
  ['a head with the vault that is gone', recordOf(moved), 'the head names vault 0x11', 'head_vault'],
  [
    'facts of another vault',
    recordOf([toldInRecord[0] as Told, foreignFact]),
    `entry 2 is a fact of vault ${OTHER_VAULT}`,
    'foreign_fact',
  ],
  [
    'a head with another hash',
    recordOf(toldInRecord, { head: { hash: '0'.repeat(64) } }),
    'the head names another hash',
    'head_hash',
  ],
  ['no head', [one, two, three], 'the first line is not the head', 'no_head'],
  ['two heads', [head, head, one, two, three], 'line 2 is not an entry', 'not_an_entry'],
  ['no lines', [], 'line 1 is no line of a record', 'not_a_line'],
  ['a line that was cut', [head, one, two, three.slice(0, -20)], 'line 4 is no line of a record', 'not_a_line'],
  [
    'words beside an entry',
    [head, one.replace('"entry":{', '"entry":{"note":"paid",'), two, three],
    'line 2: entry',
    'wrong_shape',
  ],
  ['words beside the head', [head.replace('{', '{"owner":"me",'), one, two, three], 'line 1: ', 'wrong_shape'],
  [
    'a doubled member',
    [head, one.replace('"type"', '"hash":"","type"'), two, three],
    'line 2 is not as the service',
    'not_as_written',
  ],
  ['a fraction', [head, one, two.replace('"amount":"5"', '"amount":0.5'), three], 'not a whole number', 'fraction'],
  [
    'a recomputed chain',
    recordOf(toldInRecord.slice(0, 2), { head: { jws: jwsOf(goodContent) } }),
    'is over another head',
    'signature_head',
  ],
  ['a missing signature', withJws(null), 'the head carries no signature', 'unsigned'],
  [
    'a signature of another record',
    withJws(jwsOf({ ...goodContent, seq: 9 })),
    'is over another head',
    'signature_head',
  ],
  [
    'a signature by another key',
    withJws(jwsOf(goodContent, { key: stranger.privateKey })),
    'is not good',
    'signature_bad',
  ],
  ['a signature that was edited', withJws(badSignature), 'is not good', 'signature_bad'],
  [
    'a signature by an unknown key',
    withJws(jwsOf(goodContent, { kid: 'k2' })),
    'the keys hold none with id k2',
    'signature_key',
  ],
  [
    'a session in place of a signature',
    withJws(jwsOf(goodContent, { typ: 'JWT' })),
    'of another kind',
    'signature_kind',
  ],
  ['no algorithm', withJws(jwsOf(goodContent, { alg: 'none' })), 'of another kind', 'signature_kind'],
  ['words in place of a signature', withJws('signed'), 'cannot be read', 'signature_unreadable'],
  [
    'half a signature',
    withJws(jwsOf(goodContent).split('.').slice(0, 2).join('.')),
    'of another kind',
    'signature_kind',
  ],
  [
    'a head signed for another chain',
    signedFor({ chain: { ...chainBody, chain_id: 1 } }),
    'over another head',
    'signature_head',
  ],
  ['a head signed for no vault', signedFor({ chain: null }), 'over another head', 'signature_head'],
  [
    'an older head that was signed long before the export',
    recordOf(toldInRecord.slice(0, 2), { signed: { signed_at: LONG_AGO } }),
    `the head was signed at ${LONG_AGO} and the record exported at`,
    'signed_long_before',
  ],
]
const manyFiles: readonly ForgedRecord[] = [
  { title: 'files without the rest', files: [[head, one]], said: 'but the record ends with 1', fault: 'ends_early' },
  {
    title: 'files in another order',
    files: [
      [head, three],
      [olderHead, one, two],
    ],
    said: 'entry 1 is missing: 3',
    fault: 'entry_missing',
  },
  {
    title: 'a file left out',
    files: [
      [head, one],
      [head, three],
    ],
    said: 'entry 2 is missing: 3',
    fault: 'entry_missing',
  },
  {
    title: 'an older head at the end',
    files: [goodRecord, [olderHead]],
    said: 'the head names entry 2',
    fault: 'ends_early',
  },
  {
    title: 'a first file with another hash',
    files: [
      [forgedOlder, one, two],
      [head, three],
    ],
    said: 'another hash than that of entry 2',
    fault: 'head_hash',
  },
  {
    title: 'heads of two mandates',
    files: [goodRecord, [foreignHead]],
    said: 'the heads are of different mandates',
    fault: 'heads_differ',
  },
  {
    title: 'a record cut back behind a head seen elsewhere',
    files: [cutBack],
    later: jwsOf(goodContent),
    said: 'the record was cut back: it ends with entry 2',
    fault: 'cut_back',
  },
  {
    title: 'a record rewritten behind a head seen elsewhere',
    files: [goodRecord],
    later: jwsOf({ ...goodContent, seq: 2 }),
    said: 'the record was rewritten: entry 2',
    fault: 'rewritten',
  },
  {
    title: 'a head seen elsewhere of another mandate',
    files: [goodRecord],
    later: jwsOf({ ...goodContent, mandate: OTHER_MANDATE }),
    said: 'seen before is of another mandate',
    fault: 'later_mandate',
  },
]

/** A record with a signature of terms in each of these editions; undefined names none. */
export const recordOfEditions = (...editions: readonly unknown[]): readonly string[] =>
  recordOf(
    editions.map((edition) => ({
      kind: 'terms_signed',
      source: 'owner',
      tx_hash: null,
      body: { terms_hash: `0x${'7'.repeat(64)}`, ...(edition === undefined ? {} : { clauses_edition: edition }) },
    })),
    { line: { chain: null }, signed: { chain: null } },
  )

const editions: readonly ForgedRecord[] = [
  ...[0, -1, '2', null].map((edition) => ({
    title: `an edition of the clauses that is none: ${JSON.stringify(edition)}`,
    files: [recordOfEditions(edition)],
    said: 'entry 1 names no edition of its clauses',
    fault: 'edition_unnamed',
  })),
  ...[1, undefined].map((edition) => ({
    title: `an edition of the clauses that was replaced: ${String(edition)}`,
    files: [recordOfEditions(2, edition)],
    said: 'entry 2 signs edition 1 of the clauses after edition 2',
    fault: 'edition_replaced',
  })),
]

/** Records that every verifier refuses. */
export const forgedRecords: readonly ForgedRecord[] = [
  ...singleFiles.map(([title, lines, said, fault]): ForgedRecord => ({ title, files: [lines], said, fault })),
  ...manyFiles,
  ...editions,
]

/** A record without entries, which nobody signs. */
export const emptyRecord = recordOf([])

/** Returns the files of a record as texts. */
export const textsOf = (files: readonly (readonly string[])[]): readonly string[] =>
  files.map((lines) => `${lines.join('\n')}\n`)
