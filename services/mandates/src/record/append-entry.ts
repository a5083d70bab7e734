import type { Tx } from '@svc/postgres'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { recordHash, type NewEntry, type RecordEntry } from './rules/record-hash.ts'
import { insertEntry, lockRecordHead, type RecordHead } from './store/record.ts'

/**
 * Appends an entry to the record of a mandate, chained to the previous entry, and returns its number. The only writer of the
 * record. Locks the mandate's row, unless the caller holds the lock and passes the head that it read under it.
 */
export async function appendEntry(
  tx: Tx,
  mandate: Pick<Mandate, 'id' | 'publicId'>,
  entry: NewEntry,
  lockedHead?: RecordHead,
): Promise<number> {
  const head = lockedHead ?? (await lockRecordHead(tx, mandate.id))
  const full: RecordEntry = {
    version: 1,
    mandate: mandate.publicId,
    seq: head.seq + 1,
    at: entry.at.toISOString(),
    kind: entry.kind,
    source: entry.source,
    tx_hash: entry.txHash ?? null,
    body: entry.body,
    previous: head.hash,
  }
  await insertEntry(tx, mandate.id, full, recordHash(full))
  return full.seq
}
