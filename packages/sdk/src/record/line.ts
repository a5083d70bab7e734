/** What does not hold in a record. The words for each code stand in the texts of the pages. */
export type RecordFault =
  | 'not_a_line'
  | 'wrong_shape'
  | 'not_as_written'
  | 'no_head'
  | 'not_an_entry'
  | 'heads_differ'
  | 'other_mandate'
  | 'entry_missing'
  | 'entry_unlinked'
  | 'entry_changed'
  | 'fraction'
  | 'ends_early'
  | 'head_hash'
  | 'head_vault'
  | 'foreign_fact'
  | 'unsigned'
  | 'signature_unreadable'
  | 'signature_kind'
  | 'signature_key'
  | 'signature_bad'
  | 'signature_head'
  | 'signed_long_before'
  | 'later_mandate'
  | 'cut_back'
  | 'rewritten'
  | 'edition_unnamed'
  | 'edition_replaced'

/** Where a fault is: `at` is the number of the entry, or of the line; `end` is the number of the last entry. */
export interface FaultPlace {
  readonly at?: number
  readonly end?: number
  readonly time?: string
}

/** A record that does not hold, with its first fault. */
export class RecordProblem extends Error {
  override readonly name = 'RecordProblem'
  readonly fault: RecordFault
  readonly place: FaultPlace

  constructor(fault: RecordFault, place: FaultPlace = {}) {
    super(`${fault} ${JSON.stringify(place)}`)
    this.fault = fault
    this.place = place
  }
}

/** Chain id and vault, as the lines of a record name them. */
export interface RecordPlace {
  readonly chain_id: number
  readonly vault: string
}

/** First line of a file of a record. */
export interface HeadLine {
  readonly type: 'head'
  readonly mandate: string
  readonly chain: RecordPlace | null
  readonly head: { readonly seq: number; readonly hash: string; readonly jws: string | null }
  readonly exported_at: string
}

/** An entry of a record, as hashed. */
export interface RecordEntry {
  readonly version: 1
  readonly mandate: string
  readonly seq: number
  readonly at: string
  readonly kind: string
  readonly source: string
  readonly tx_hash: string | null
  readonly body: Readonly<Record<string, unknown>>
  readonly previous: string
}

interface EntryLine {
  readonly type: 'entry'
  readonly hash: string
  readonly entry: RecordEntry
}

type Check = (value: unknown) => boolean

const text =
  (max: number, pattern?: RegExp): Check =>
  (value) =>
    typeof value === 'string' && value.length <= max && (pattern === undefined || pattern.test(value))
const count: Check = (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Exactly these members: no hash covers another one. */
const members =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) => {
    if (!isObject(value) || Object.keys(value).length !== Object.keys(checks).length) return false
    return Object.entries(checks).every(([name, check]) => Object.hasOwn(value, name) && check(value[name]))
  }

const mandate = text(36, /^mdt_[0-9a-f]{32}$/)
const instant = text(24, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
const hash = text(64, /^[0-9a-f]{64}$/)
const headLine = members({
  type: (value) => value === 'head',
  mandate,
  chain: orNull(members({ chain_id: count, vault: text(42) })),
  head: members({ seq: count, hash: text(64), jws: orNull(text(2000)) }),
  exported_at: instant,
})
const entryLine = members({
  type: (value) => value === 'entry',
  hash,
  entry: members({
    version: (value) => value === 1,
    mandate,
    seq: count,
    at: instant,
    kind: text(40),
    source: text(20),
    tx_hash: orNull(text(66, /^0x[0-9a-fA-F]{64}$/)),
    body: (value) => isObject(value) && Object.keys(value).every((name) => name.length <= 100),
    previous: text(64),
  }),
})

/**
 * Parses line `at` of a file as the service writes it. A doubled member could show a reader another value than the hashed
 * one, so a line must equal its own JSON written again.
 */
export function readLine(line: string, at: number): HeadLine | EntryLine {
  const written = line.trimEnd()
  let value: unknown
  try {
    value = JSON.parse(written)
  } catch {
    throw new RecordProblem('not_a_line', { at })
  }
  if (!headLine(value) && !entryLine(value)) throw new RecordProblem('wrong_shape', { at })
  if (JSON.stringify(value) !== written) throw new RecordProblem('not_as_written', { at })
  return value as HeadLine | EntryLine
}

/** Returns RFC 8785 JSON for the values of a record: strings, whole numbers, booleans, null, lists and objects. */
export function canonical(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new RecordProblem('fraction')
    return String(value)
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const sorted = Object.entries(value as object).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${sorted.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}

/** Returns SHA-256 of a text in UTF-8, in lower-case hexadecimal. */
export async function sha256(content: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(content))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
