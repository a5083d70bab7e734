import { signedContent, SignatureUnsupported, type PublishedKey, type SignedContent } from './jws.ts'
import { canonical, readLine, RecordProblem, sha256, type HeadLine, type RecordEntry } from './line.ts'

/** A signature of terms, as its entry names it. */
export interface SignedTerms {
  /** Number of the entry. */
  readonly seq: number
  readonly termsHash: string
  /** Edition of the wording of the clauses; 1 for an entry that was written before there was another one. */
  readonly edition: number
}

/** A record with consistent entries. */
export interface VerifiedRecord {
  readonly head: HeadLine
  readonly entries: readonly RecordEntry[]
  /** Every signature of terms, the newest last. */
  readonly terms: readonly SignedTerms[]
  /** `unsupported`: this browser has no Ed25519, so only hashes and links were checked. */
  readonly signature: 'good' | 'unsupported'
  /** When the service signed the head as the newest one; null if the signature was not checked. */
  readonly signedAt: string | null
  /** The key that signed the head; null if the signature was not checked. */
  readonly key: PublishedKey | null
}

/** An empty record carries no signature, so nothing shows whether entries are missing. */
export class EmptyRecord extends Error {
  override readonly name = 'EmptyRecord'
}

/** Largest time between the signature of a head and its export. */
const SIGNED_BEFORE_MAX_MS = 600_000
const KIND = 'record-head+json'

/**
 * Verifies an exported record from its files in order: the hash of each entry, its link to the previous entry, each head
 * against its entry, the vault against the entry that attached it, the editions of the clauses that were signed, and the
 * signature of the last head, which covers the whole record. `later` is the signature of a head seen elsewhere, which reveals a record that was cut back. Rejects with
 * `RecordProblem` for the first fault. It shares no code with the service or with the verifier of the command line.
 */
export async function verifyRecord(
  files: readonly string[],
  keys: readonly PublishedKey[],
  later: string | null = null,
): Promise<VerifiedRecord> {
  const { heads, entries, hashes } = await chained(files)
  const head = heads.at(-1)
  if (head === undefined) throw new RecordProblem('no_head')
  for (const { head: one } of heads) {
    const isLast = one === head.head
    if (one.seq > entries.length || (isLast && one.seq < entries.length))
      throw new RecordProblem('ends_early', { at: one.seq, end: entries.length })
    if (one.hash !== (one.seq === 0 ? '' : hashes[one.seq - 1])) throw new RecordProblem('head_hash', { at: one.seq })
  }
  mustNameItsVault(head, entries)
  const terms = signedTermsOf(entries)
  if (head.head.jws === null) {
    if (entries.length === 0) throw new EmptyRecord('the record has no entry yet')
    throw new RecordProblem('unsigned')
  }
  try {
    const signed = await signedContent(head.head.jws, KIND, keys)
    mustSignThisHead(head, signed)
    if (later !== null) await mustReach(head.mandate, hashes, await signedContent(later, KIND, keys))
    return { head, entries, terms, signature: 'good', signedAt: String(signed.content['signed_at']), key: signed.key }
  } catch (error) {
    if (error instanceof SignatureUnsupported)
      return { head, entries, terms, signature: 'unsupported', signedAt: null, key: null }
    throw error
  }
}

interface Chained {
  readonly heads: readonly HeadLine[]
  readonly entries: readonly RecordEntry[]
  readonly hashes: readonly string[]
}

/** Returns the heads of the files and all their entries, each linked to the previous one, with the computed hashes. */
async function chained(files: readonly string[]): Promise<Chained> {
  const heads: HeadLine[] = []
  const entries: RecordEntry[] = []
  const hashes: string[] = []
  for (const file of files) {
    const [head, ...lines] = file
      .trimEnd()
      .split('\n')
      .map((line, at) => readLine(line, at + 1))
    if (head?.type !== 'head') throw new RecordProblem('no_head')
    heads.push(head)
    if (head.mandate !== heads[0]?.mandate) throw new RecordProblem('heads_differ')
    for (const [at, line] of lines.entries()) {
      if (line.type !== 'entry') throw new RecordProblem('not_an_entry', { at: at + 2 })
      const { entry, hash } = line
      const seq = entries.length + 1
      if (entry.mandate !== head.mandate) throw new RecordProblem('other_mandate', { at: entry.seq })
      if (entry.seq !== seq) throw new RecordProblem('entry_missing', { at: seq, end: entry.seq })
      if (entry.previous !== (hashes.at(-1) ?? '')) throw new RecordProblem('entry_unlinked', { at: seq })
      if ((await sha256(canonical(entry))) !== hash) throw new RecordProblem('entry_changed', { at: seq })
      hashes.push(hash)
      entries.push(entry)
    }
  }
  return { heads, entries, hashes }
}

function mustSignThisHead(head: HeadLine, { content }: SignedContent): void {
  const { signed_at, ...signed } = content
  const chain = head.chain === null ? null : { chain_id: head.chain.chain_id, vault: head.chain.vault }
  if (canonical(signed) !== canonical({ mandate: head.mandate, seq: head.head.seq, hash: head.head.hash, chain }))
    throw new RecordProblem('signature_head')
  const apartMs = Math.abs(Date.parse(head.exported_at) - Date.parse(String(signed_at)))
  if (!(apartMs <= SIGNED_BEFORE_MAX_MS)) throw new RecordProblem('signed_long_before', { time: String(signed_at) })
}

/** Rejects unless the record contains a head that was signed before: entries cannot disappear once a later head is known. */
async function mustReach(mandate: string, hashes: readonly string[], { content }: SignedContent): Promise<void> {
  if (content['mandate'] !== mandate) throw new RecordProblem('later_mandate')
  const seq = Number(content['seq'])
  if (seq > hashes.length)
    throw new RecordProblem('cut_back', { at: seq, end: hashes.length, time: String(content['signed_at']) })
  if (hashes[seq - 1] !== content['hash']) throw new RecordProblem('rewritten', { at: seq })
}

/** Rejects unless each signature of terms names an edition of its clauses, and none an earlier one than before. */
function signedTermsOf(entries: readonly RecordEntry[]): readonly SignedTerms[] {
  let newest = 1
  return entries
    .filter(({ kind }) => kind === 'terms_signed')
    .map(({ seq, body }) => {
      const { terms_hash: termsHash, clauses_edition: edition = 1 } = body
      if (typeof edition !== 'number' || edition < 1) throw new RecordProblem('edition_unnamed', { at: seq })
      if (edition < newest) throw new RecordProblem('edition_replaced', { at: seq })
      newest = edition
      return { seq, termsHash: String(termsHash), edition }
    })
}

const placeText = ({ chain_id, vault }: { readonly chain_id?: unknown; readonly vault?: unknown }) =>
  `${Number(chain_id)} ${String(vault).toLowerCase()}`

/** Rejects unless the head names the vault of the entries; the signature does not cover the vault in the head's line. */
function mustNameItsVault({ chain }: HeadLine, entries: readonly RecordEntry[]): void {
  const attached = entries.findLast(({ kind }) => kind === 'vault_attached')
  if (attached === undefined) return
  if (chain === null || placeText(chain) !== placeText(attached.body)) throw new RecordProblem('head_vault')
  const known = new Set<string>()
  for (const { seq, kind, body } of entries) {
    if (kind === 'vault_attached') known.add(placeText(body))
    if (kind.startsWith('chain_fact') && !known.has(placeText(body)))
      throw new RecordProblem('foreign_fact', { at: seq })
  }
}
