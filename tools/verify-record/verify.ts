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
 * the vault from the entry that attached it, and the head's signature where keys are given. Throws `RecordProblem` for
 * the first thing that does not hold.
 */
export function verifyRecord(text: string, keys: readonly JsonWebKey[] | null): VerifiedRecord {
  const [head, ...rest] = text.trimEnd().split('\n').map(readLine)
  if (head?.type !== 'head') throw new RecordProblem('the first line is not the head')
  const entries = chained(head, rest)
  mustNameItsVault(head, entries)
  if (keys === null) return { head, entries, signature: head.head.jws === null ? 'absent' : 'not checked' }
  if (head.head.jws === null) {
    // The service signs no empty record, so whether there was more nobody can tell from the file.
    if (entries.length === 0) throw new Error('the record is empty, and an empty record carries no signature')
    throw new RecordProblem('the head carries no signature, so any hand may have written it; download the record again')
  }
  checkSignature(head, head.head.jws, keys)
  return { head, entries, signature: 'good' }
}

/** The entries of a record that follow from one another and end in its head. */
function chained({ mandate, head }: Line<'head'>, lines: readonly ExportLine[]): readonly Entry[] {
  let previous = ''
  const entries = lines.map((line, at) => {
    if (line.type !== 'entry') throw new RecordProblem(`line ${at + 2} is not an entry`)
    const { entry, hash } = line
    if (entry.mandate !== mandate) throw new RecordProblem(`entry ${entry.seq} is of another mandate`)
    if (entry.seq !== at + 1) throw new RecordProblem(`entry ${at + 1} is missing: ${entry.seq} stands in its place`)
    if (entry.previous !== previous) throw new RecordProblem(`entry ${entry.seq} does not follow the one before it`)
    const computed = createHash('sha256').update(canonical(entry)).digest('hex')
    if (computed !== hash) throw new RecordProblem(`entry ${entry.seq} was changed: its hash is ${computed}`)
    previous = hash
    return entry
  })
  if (head.seq !== entries.length)
    throw new RecordProblem(`the head names entry ${head.seq}, but the record ends with ${entries.length}`)
  if (head.hash !== previous)
    throw new RecordProblem(`the head names another hash than that of entry ${entries.length}, the last`)
  return entries
}

/** The vault that a record attached last: it attaches another one when a reorganisation took the first away. Null while it attached none. */
export function vaultOf(entries: readonly Entry[]): { readonly chainId: number; readonly vault: string } | null {
  const attached = entries.findLast(({ kind }) => kind === 'vault_attached')
  return attached === undefined ? null : placeOf(attached.body)
}

const placeOf = ({ chain_id, vault }: { readonly chain_id?: unknown; readonly vault?: unknown }) => ({
  chainId: Number(chain_id),
  vault: String(vault),
})
const placeText = ({ chainId, vault }: { readonly chainId: number; readonly vault: string }) =>
  `vault ${vault} of chain ${chainId}`

/** What the head's line says of the vault is not under its signature: the entries say which one it is. */
function mustNameItsVault({ chain }: Line<'head'>, entries: readonly Entry[]): void {
  const attached = vaultOf(entries)
  if (attached === null) return
  const said = placeText(attached)
  const named = chain === null ? 'no vault' : placeText(placeOf(chain))
  if (named.toLowerCase() !== said.toLowerCase())
    throw new RecordProblem(`the head names ${named}, but the entries attach ${said}`)
  const known = new Set<string>()
  for (const { seq, kind, body } of entries) {
    const of = placeText(placeOf(body))
    if (kind === 'vault_attached') known.add(of.toLowerCase())
    if (kind.startsWith('chain_fact') && !known.has(of.toLowerCase()))
      throw new RecordProblem(`entry ${seq} is a fact of ${of}, but the entries attach ${said}`)
  }
}

/** A line as the service writes it; a doubled member would show a reader something else than what is hashed. */
function readLine(line: string, at: number): ExportLine {
  const written = line.trimEnd()
  let value: unknown
  try {
    value = JSON.parse(written)
  } catch (error) {
    throw new RecordProblem(`line ${at + 1} is no line of a record`, { cause: error })
  }
  const read = exportLine.safeParse(value)
  if (!read.success) {
    const [issue] = read.error.issues
    const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
    throw new RecordProblem(`line ${at + 1}: ${place}${issue?.message ?? 'of another shape'}`)
  }
  if (JSON.stringify(value) !== written)
    throw new RecordProblem(`line ${at + 1} is not as the service writes it: a member is doubled or spelled otherwise`)
  return read.data
}

function checkSignature({ mandate, head }: Line<'head'>, jws: string, keys: readonly JsonWebKey[]): void {
  const parts = jws.split('.')
  const [header = '', payload = '', signature = ''] = parts
  const { kid, alg, typ } = memberOf(header)
  if (parts.length !== 3 || alg !== 'EdDSA' || typ !== 'record-head+json')
    throw new RecordProblem('the signature is of another kind')
  const key = keys.find((one) => one['kid'] === kid)
  if (key === undefined) throw new RecordProblem(`the keys hold none with id ${String(kid)}`)
  const bytes = Buffer.from(`${header}.${payload}`)
  const good = verifySignature(
    null,
    bytes,
    createPublicKey({ key, format: 'jwk' }),
    Buffer.from(signature, 'base64url'),
  )
  if (!good) throw new RecordProblem('the signature of the head is not good')
  if (canonical(memberOf(payload)) !== canonical({ mandate, seq: head.seq, hash: head.hash }))
    throw new RecordProblem('the signature is over another head')
}

/** A part of a compact JWS. */
function memberOf(part: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))) as Record<string, unknown>
  } catch (error) {
    throw new RecordProblem('the signature of the head cannot be read', { cause: error })
  }
}
