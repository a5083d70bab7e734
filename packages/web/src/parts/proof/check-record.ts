import { api, readDocument, readFile } from '../../lib/api.ts'
import { Problem } from '../../lib/problem.ts'
import {
  fingerprintOf,
  RecordProblem,
  verifyRecord,
  type HeadLine,
  type PublishedKey,
  type SignedTerms,
  type VerifiedRecord,
} from '@svc/sdk/record'
import { checkTerms, type CheckedTerms, type ShownClause } from './check-terms.ts'

/** A record that holds, with what there is to say of it. */
export interface CheckedRecord extends Pick<VerifiedRecord, 'signature' | 'signedAt'> {
  readonly count: number
  readonly headHash: string
  readonly keyId: string | null
  readonly fingerprint: string | null
  readonly terms: CheckedTerms
  readonly ms: number
}

/** Most files of one record; each has at most 10,000 entries. */
const FILES_MAX = 50

const addressOf = (publicId: string, since: number): string =>
  `/hub/mandates/${encodeURIComponent(publicId)}/record/export${since === 0 ? '' : `?since=${since}`}`

/** Downloads the files of a record, in order. */
export async function recordFiles(publicId: string): Promise<readonly string[]> {
  const files: string[] = []
  for (let since = 0; files.length < FILES_MAX;) {
    const file = await (await readFile(addressOf(publicId, since))).text()
    files.push(file)
    const lines = file.trimEnd().split('\n')
    const reached = since + lines.length - 1
    const named = headSeq(lines[0] ?? '')
    // A file without entries or without a head ends the download; the check says what is wrong with it.
    if (reached === since || named === null || reached >= named) return files
    since = reached
  }
  return files
}

function headSeq(line: string): number | null {
  try {
    return (JSON.parse(line) as HeadLine).head.seq
  } catch {
    return null
  }
}

/**
 * Downloads a record with the published keys and the terms, and checks both. `later` is the signature of a head seen on the page,
 * `clauses` are those that it shows.
 */
export async function checkRecord(
  publicId: string,
  later: string | null,
  clauses: readonly ShownClause[],
): Promise<CheckedRecord> {
  const [files, published] = await Promise.all([
    recordFiles(publicId),
    readDocument('/.well-known/jwks.json', { asVisitor: true }),
  ])
  const keys = (published as { readonly keys?: readonly PublishedKey[] }).keys ?? []
  const begun = performance.now()
  const { head, entries, terms, signature, signedAt, key } = await verifyRecord(files, keys, later)
  if (head.mandate !== publicId) throw new RecordProblem('heads_differ')
  const ms = Math.max(1, Math.round(performance.now() - begun))
  return {
    signature,
    signedAt,
    count: entries.length,
    headHash: head.head.hash,
    keyId: key?.kid ?? null,
    fingerprint: key === null ? null : await fingerprintOf(key),
    terms: await termsOf(publicId, terms.at(-1), clauses),
    ms,
  }
}

/** Compares what the page shows with the newest signature of terms; a draft has none. The service refuses terms that nobody can sign now. */
async function termsOf(
  publicId: string,
  signed: SignedTerms | undefined,
  clauses: readonly ShownClause[],
): Promise<CheckedTerms> {
  if (signed === undefined || clauses.length === 0) return { is: 'none' }
  try {
    const answer = await api('GET /hub/mandates/{public_id}/terms', { public_id: publicId })
    return checkTerms(publicId, signed, answer, clauses)
  } catch (error) {
    if (error instanceof Problem && [404, 409, 422].includes(error.status)) return { is: 'again' }
    throw error
  }
}
