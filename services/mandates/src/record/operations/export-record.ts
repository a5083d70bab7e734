import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { mandateOfCaller } from '#mandate/parties.ts'
import { mustBeReached } from '../record-cursor.ts'
import { vaultInRecord, wholeEntries } from '../store/record-steps.ts'
import { EXPORT_ENTRIES_MAX, type ExportLine } from '@svc/contracts/mandates/record'

const BATCH = 1_000

export const exportRecord: BoundHandler<Context, typeof mandates.operations.exportRecord> =
  ({ pool, agentsClient, documents }) =>
  async (input, call) => {
    const mandate = await mandateOfCaller(pool, input.public_id, call)
    const { publicId, record } = mandate
    const since = Number(input.since)
    mustBeReached(since, record.seq)
    const chain = await vaultInRecord(pool, mandate.id, record.seq)
    const head: ExportLine = {
      type: 'head',
      mandate: publicId,
      chain,
      head: { ...record, jws: await agentsClient.signHead({ mandate: publicId, ...record, chain }, call.now) },
      exported_at: call.now.toISOString(),
    }
    const lines = [JSON.stringify(head)]
    // Entries after the head that was signed are left for the next export.
    const upTo = Math.min(record.seq, since + EXPORT_ENTRIES_MAX)
    for (let after = since; after < upTo;) {
      const batch = await wholeEntries(pool, mandate.id, after, upTo, BATCH)
      if (batch.length === 0) throw new Error(`the record of ${publicId} has a gap after ${after}`)
      for (const { hash, entry } of batch) lines.push(JSON.stringify({ type: 'entry', hash, entry }))
      after += batch.length
    }
    // A file of its own for each caller: a newer one of the other party would take it away while it is sent.
    const name = `record-${publicId}-${callerOf(call).account_id}.ndjson`
    const stored = await documents.store(name, Buffer.from(`${lines.join('\n')}\n`))
    const filename = since === 0 ? `record-${publicId}.ndjson` : `record-${publicId}-after-${since}.ndjson`
    return ok(200, { file: { ...stored, filename } })
  }
