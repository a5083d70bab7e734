import { createHash, createPublicKey, verify as verifySignature, type JsonWebKey } from 'node:crypto'
import { exportLine, type ExportLine } from '@svc/contracts/mandates-record'

type Line<T extends ExportLine['type']> = Extract<ExportLine, { type: T }>
export type Entry = Line<'entry'>['entry']

/** A record that was read and whose lines agree with one another. */
export interface VerifiedRecord {
  readonly head: Line<'head'>
  readonly entries: readonly Entry[]
  /** Whether the head was checked against a key: no key given, or no signature in it, leaves it unchecked. */
  readonly signature: 'good' | 'absent' | 'not checked'
}

/** What does not hold of a record. */
export class RecordProblem extends Error {
  override readonly name = 'RecordProblem'
}

/** RFC 8785 for what stands in a record: strings, whole numbers, booleans, null, lists and objects. */
export function canonical(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new RecordProblem('a number in the record is not a whole number')
    return String(value)
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const members = Object.entries(value as object).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}

/**
 * Computes an exported record again: each hash from its entry, each entry from the one before, the head from the last,
 * and the head's signature where keys are given. Throws `RecordProblem` for the first thing that does not hold.
 */
export function verifyRecord(text: string, keys: readonly JsonWebKey[] | null): VerifiedRecord {
  const [first, ...rest] = text.trimEnd().split('\n').map(readLine)
  if (first?.type !== 'head') throw new RecordProblem('the first line is not the head')
  let previous = ''
  const entries = rest.map((line, at) => {
    if (line.type !== 'entry') throw new RecordProblem(`line ${at + 2} is not an entry`)
    const { entry, hash } = line
    if (entry.mandate !== first.mandate) throw new RecordProblem(`entry ${entry.seq} is of another mandate`)
    if (entry.seq !== at + 1) throw new RecordProblem(`entry ${at + 1} is missing: ${entry.seq} stands in its place`)
    if (entry.previous !== previous) throw new RecordProblem(`entry ${entry.seq} does not follow the one before it`)
    const computed = createHash('sha256').update(canonical(entry)).digest('hex')
    if (computed !== hash) throw new RecordProblem(`entry ${entry.seq} was changed: its hash is ${computed}`)
    previous = hash
    return entry
  })
  const { head } = first
  if (head.seq !== entries.length || head.hash !== previous)
    throw new RecordProblem(`the head names entry ${head.seq}, but the record ends with ${entries.length}`)
  if (head.jws === null || keys === null)
    return { head: first, entries, signature: head.jws === null ? 'absent' : 'not checked' }
  checkSignature(first, keys)
  return { head: first, entries, signature: 'good' }
}

function readLine(line: string, at: number): ExportLine {
  try {
    return exportLine.parse(JSON.parse(line))
  } catch (error) {
    throw new RecordProblem(`line ${at + 1} is no line of a record`, { cause: error })
  }
}

function checkSignature({ mandate, head }: Line<'head'>, keys: readonly JsonWebKey[]): void {
  const [header = '', payload = '', signature = ''] = (head.jws ?? '').split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>
  const { kid, alg, typ } = read(header)
  const key = keys.find((one) => one['kid'] === kid)
  if (key === undefined) throw new RecordProblem(`the keys hold none with id ${String(kid)}`)
  if (alg !== 'EdDSA' || typ !== 'record-head+json') throw new RecordProblem('the signature is of another kind')
  const bytes = Buffer.from(`${header}.${payload}`)
  const good = verifySignature(
    null,
    bytes,
    createPublicKey({ key, format: 'jwk' }),
    Buffer.from(signature, 'base64url'),
  )
  if (!good) throw new RecordProblem('the signature of the head is not good')
  if (canonical(read(payload)) !== canonical({ mandate, seq: head.seq, hash: head.hash }))
    throw new RecordProblem('the signature is over another head')
}
