import { createHash, type JsonWebKey } from 'node:crypto'
import { exportLine, type ExportLine } from '@svc/contracts/mandates/record'
import { signedContent } from '../eddsa-jws.ts'

type Line<T extends ExportLine['type']> = Extract<ExportLine, { type: T }>
/** An entry of a record, as hashed. */
export type Entry = Line<'entry'>['entry']

/** Texts of the files of a record, in order; a single string is not allowed. */
type Files = Iterable<string> & object

/** A record with consistent lines. */
export interface VerifiedRecord {
  readonly head: Line<'head'>
  readonly entries: readonly Entry[]
  /** Signatures of terms, oldest first; the newest one counts. */
  readonly terms: readonly SignedTerms[]
  /** Whether the signature of the head was checked; without a key or a signature it is unchecked. */
  readonly signature: 'good' | 'absent' | 'not checked'
  /** When the service signed the head as the newest one; null if the signature was not checked. */
  readonly signedAt: string | null
}

/** Terms that the owner signed, as the record has them. */
export interface SignedTerms {
  /** Number of the entry. */
  readonly seq: number
  readonly termsHash: string
  /** Edition of the wording of the clauses; 1 for an entry that was written before there was another one. */
  readonly edition: number
}

/** Largest time between the signature of a head and its export. */
const SIGNED_BEFORE_MAX_MS = 600_000

/** A defect of a record. */
export class RecordProblem extends Error {
  override readonly name = 'RecordProblem'
}

/**
 * Returns RFC 8785 JSON for the values of a record: strings, whole numbers, booleans, null, lists and objects. It is not
 * the function of the service: a verifier with the code of the writer would share its faults.
 */
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
 * Verifies an exported record from its files in order: the hash of each entry, its link to the previous entry, each head
 * against its entry, the vault against the entry that attached it, the editions of the clauses that were signed, and, with keys, the signature of the last head, which
 * covers the whole record. The time of that signature reveals a record that was cut back to an older head, and so does
 * `later`, the signature of a head seen before. Throws `RecordProblem` for the first defect.
 */
export function verifyRecord(
  files: Files,
  keys: readonly JsonWebKey[] | null,
  later: string | null = null,
): VerifiedRecord {
  const { heads, entries, last } = chained(files)
  const head = heads.at(-1)
  if (head === undefined) throw new Error('no file was given')
  for (const { head: one } of heads) {
    const hash = one.seq === entries.length ? last : entries[one.seq]?.previous
    const isLast = one === head.head
    if (hash === undefined || (isLast && one.seq < entries.length))
      throw new RecordProblem(
        `the head names entry ${one.seq}, but the record ends with ${entries.length}; a longer one is downloaded on with ?since=${entries.length}`,
      )
    if (hash !== one.hash) throw new RecordProblem(`the head names another hash than that of entry ${one.seq}`)
  }
  mustNameItsVault(head, entries)
  const terms = signedTermsOf(entries)
  if (keys === null)
    return { head, entries, terms, signature: head.head.jws === null ? 'absent' : 'not checked', signedAt: null }
  if (head.head.jws === null) {
    // The service signs no empty record, so the file cannot show whether entries are missing.
    if (entries.length === 0) throw new Error('the record is empty, and an empty record carries no signature')
    throw new RecordProblem('the head carries no signature, so any hand may have written it; download the record again')
  }
  const { signed_at, ...signed } = signedHead(head.head.jws, keys)
  const chain = head.chain === null ? null : { chain_id: head.chain.chain_id, vault: head.chain.vault }
  if (canonical(signed) !== canonical({ mandate: head.mandate, seq: head.head.seq, hash: head.head.hash, chain }))
    throw new RecordProblem('the signature is over another head')
  const apartMs = Math.abs(Date.parse(head.exported_at) - Date.parse(String(signed_at)))
  if (!(apartMs <= SIGNED_BEFORE_MAX_MS))
    throw new RecordProblem(
      `the head was signed at ${String(signed_at)} and the record exported at ${head.exported_at}: it may have been cut back to an older head; download it again`,
    )
  if (later !== null) mustReach(head, entries, signedHead(later, keys))
  return { head, entries, terms, signature: 'good', signedAt: String(signed_at) }
}

/** Returns the signatures of terms. Throws unless each names an edition of its clauses, and none an earlier one than before. */
function signedTermsOf(entries: readonly Entry[]): readonly SignedTerms[] {
  const signed: SignedTerms[] = []
  for (const { seq, body } of entries.filter(({ kind }) => kind === 'terms_signed')) {
    const edition = body['clauses_edition'] === undefined ? 1 : body['clauses_edition']
    if (typeof edition !== 'number' || !Number.isSafeInteger(edition) || edition < 1)
      throw new RecordProblem(`entry ${seq} names no edition of its clauses`)
    const before = signed.at(-1)
    if (before !== undefined && edition < before.edition)
      throw new RecordProblem(
        `entry ${seq} signs edition ${edition} of the clauses after edition ${before.edition}: an edition that was replaced is signed no more`,
      )
    signed.push({ seq, termsHash: String(body['terms_hash']), edition })
  }
  return signed
}

/** Throws unless the record contains a head that was signed before: entries cannot disappear once a later head is known. */
function mustReach(
  { mandate }: Line<'head'>,
  entries: readonly Entry[],
  later: Readonly<Record<string, unknown>>,
): void {
  if (later['mandate'] !== mandate) throw new RecordProblem('the head that was seen before is of another mandate')
  const seq = Number(later['seq'])
  if (seq > entries.length)
    throw new RecordProblem(
      `the record was cut back: it ends with entry ${entries.length}, and a head of entry ${seq} was signed at ${String(later['signed_at'])}`,
    )
  const entry = entries[seq - 1]
  if (entry === undefined || createHash('sha256').update(canonical(entry)).digest('hex') !== later['hash'])
    throw new RecordProblem(`the record was rewritten: entry ${seq} is another one than the head of it that was signed`)
}

/** Returns the heads of the files, all their entries, each linked to the previous one, and the last hash. */
function chained(files: Files): { heads: readonly Line<'head'>[]; entries: readonly Entry[]; last: string } {
  const heads: Line<'head'>[] = []
  const entries: Entry[] = []
  let last = ''
  for (const file of files) {
    const [head, ...lines] = file.trimEnd().split('\n').map(readLine)
    if (head?.type !== 'head') throw new RecordProblem('the first line is not the head')
    heads.push(head)
    if (head.mandate !== heads[0]?.mandate) throw new RecordProblem('the heads are of different mandates')
    for (const [at, line] of lines.entries()) {
      if (line.type !== 'entry') throw new RecordProblem(`line ${at + 2} is not an entry`)
      const { entry, hash } = line
      const seq = entries.length + 1
      if (entry.mandate !== head.mandate) throw new RecordProblem(`entry ${entry.seq} is of another mandate`)
      if (entry.seq !== seq) throw new RecordProblem(`entry ${seq} is missing: ${entry.seq} stands in its place`)
      if (entry.previous !== last) throw new RecordProblem(`entry ${entry.seq} does not follow the one before it`)
      const computed = createHash('sha256').update(canonical(entry)).digest('hex')
      if (computed !== hash) throw new RecordProblem(`entry ${entry.seq} was changed: its hash is ${computed}`)
      last = hash
      entries.push(entry)
    }
  }
  return { heads, entries, last }
}

/** Returns the vault that a record attached last (a reorganisation may replace the first one), or null. */
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

/** Throws unless the head names the vault of the entries; the signature does not cover the vault in the head's line. */
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

/** Parses a line as the service writes it; a doubled member could show a reader another value than the hashed one. */
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

/** Returns the content of a valid signature. */
const signedHead = (jws: string, keys: readonly JsonWebKey[]): Readonly<Record<string, unknown>> =>
  signedContent(jws, { typ: 'record-head+json', keys, problem: RecordProblem })
