import { createHash } from 'node:crypto'

/** JSON allowed in a record: integers only, so that every implementation writes numbers alike. */
export type RecordJson =
  | string
  | number
  | boolean
  | null
  | readonly RecordJson[]
  | { readonly [key: string]: RecordJson }

/** An entry of the record as it is hashed. */
export interface RecordEntry {
  readonly version: 1
  readonly mandate: string
  readonly seq: number
  /** RFC 3339, milliseconds, UTC. */
  readonly at: string
  readonly kind: string
  readonly source: 'chain' | 'venue' | 'server' | 'agent' | 'owner' | 'keeper'
  readonly tx_hash: string | null
  readonly body: { readonly [key: string]: RecordJson }
  /** Hash of the entry before; empty for the first. */
  readonly previous: string
}

/** An event of a mandate that is to be recorded. */
export interface NewEntry {
  readonly at: Date
  readonly kind: string
  readonly source: RecordEntry['source']
  readonly txHash?: string | null
  readonly body: { readonly [key: string]: RecordJson }
}

/** Returns SHA-256, in hex, of the entry's RFC 8785 JSON. */
export function recordHash(entry: RecordEntry): string {
  return createHash('sha256').update(canonicalJson(entry)).digest('hex')
}

/** Returns RFC 8785 JSON: members sorted by UTF-16 code units, no white space. Throws for values without such a form. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new Error('a lone surrogate has no canonical form')
    return JSON.stringify(value)
  }
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new Error('only whole numbers have a place in a record')
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object') throw new Error(`a ${typeof value} has no canonical form`)
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`
}
