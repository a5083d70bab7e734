import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { ExportLine } from '@svc/contracts/mandates-record'
import { callerOf, type BoundHandler } from '@svc/service'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { mandateOfCaller } from '../parties.ts'
import { wholeEntries } from '../store/record-steps.ts'

const BATCH = 1_000

type HeadLine = Extract<ExportLine, { type: 'head' }>
const place = z.object({ chain_id: z.number(), vault: z.string() })

export const exportRecord: BoundHandler<Context, typeof mandates.operations.exportRecord> =
  ({ pool, accounts, documents }) =>
  async (input, call) => {
    const mandate = await mandateOfCaller(pool, input.public_id, call)
    const { publicId, record } = mandate
    const jws = await accounts.signHead({ mandate: publicId, ...record })
    const lines: string[] = []
    let chain: HeadLine['chain'] = null
    // Entries after the head that was signed are left for the next export.
    for (let after = 0; after < record.seq;) {
      const batch = await wholeEntries(pool, mandate.id, after, record.seq, BATCH)
      if (batch.length === 0) throw new Error(`the record of ${publicId} has a gap after ${after}`)
      for (const { hash, entry } of batch) {
        lines.push(JSON.stringify({ type: 'entry', hash, entry }))
        // The vault that these entries attach, not one that came while they were read.
        if (entry['kind'] === 'vault_attached') chain = place.parse(entry['body'])
      }
      after += batch.length
    }
    const head: HeadLine = {
      type: 'head',
      mandate: publicId,
      chain,
      head: { ...record, jws },
      exported_at: call.now.toISOString(),
    }
    lines.unshift(JSON.stringify(head))
    // A file of its own for each caller: a newer one of the other party would take it away while it is sent.
    const name = `record-${publicId}-${callerOf(call).account_id}.ndjson`
    const stored = await documents.store(name, Buffer.from(`${lines.join('\n')}\n`))
    return ok(200, { file: { ...stored, filename: `record-${publicId}.ndjson` } })
  }
