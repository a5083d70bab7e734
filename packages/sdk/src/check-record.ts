import type { Client } from './client.ts'
import { RecordProblem, verifyRecord, type HeadLine, type PublishedKey, type VerifiedRecord } from './record/index.ts'

/** Most files of one record; each has at most 10,000 entries. */
const FILES_MAX = 50

/** Downloads the files of a record, in order. */
export async function recordFiles(client: Client, publicId: string): Promise<readonly string[]> {
  const files: string[] = []
  for (let since = 0; files.length < FILES_MAX;) {
    const bytes = await client.api.exportRecord({ public_id: publicId, since: String(since) })
    const file = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
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

export interface CheckOptions {
  /** Keys that you know already; default: those that the service publishes. */
  readonly keys?: readonly PublishedKey[]
  /** Signature of a head seen before (`record_head.jws`): reveals a record that was cut back since. */
  readonly later?: string
}

/**
 * Downloads the record of a mandate and verifies it: each hash, each link, and the signature of the head. Rejects with
 * `RecordProblem` for the first fault.
 */
export async function checkRecord(
  client: Client,
  publicId: string,
  { keys, later }: CheckOptions = {},
): Promise<VerifiedRecord> {
  const files = await recordFiles(client, publicId)
  const published = keys ?? ((await client.api.listSigningKeys()).keys as readonly PublishedKey[])
  const verified = await verifyRecord(files, published, later ?? null)
  if (verified.head.mandate !== publicId) throw new RecordProblem('heads_differ')
  return verified
}
