import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { ExportLine } from '@svc/contracts/mandates-record'
import { unknownMandate } from '@svc/contracts/mandates-refusals'
import type { BoundHandler } from '@svc/service'
import { getAddress } from 'viem'
import type { Context } from '../context.ts'
import { partyOf } from '../parties.ts'
import { findMandate } from '../store/mandates.ts'
import { wholeEntries } from '../store/record-steps.ts'
import { vaultOfMandate } from '../store/vaults.ts'

const BATCH = 1_000

export const exportRecord: BoundHandler<Context, typeof mandates.operations.exportRecord> =
  ({ pool, acting }) =>
  async (input, call) => {
    const mandate = await findMandate(pool, input.public_id, partyOf(call), call.now)
    if (mandate === null) refuse(unknownMandate)
    const { publicId, record } = mandate
    const [vault, jws] = await Promise.all([
      vaultOfMandate(pool, mandate.id),
      acting.signHead({ mandate: publicId, ...record }),
    ])
    const head: ExportLine = {
      type: 'head',
      mandate: publicId,
      chain: vault === null ? null : { chain_id: vault.chain_id, vault: getAddress(vault.address) },
      head: { ...record, jws },
      exported_at: call.now.toISOString(),
    }
    const lines = [JSON.stringify(head)]
    // Entries after the head that was signed are left for the next export.
    for (let after = 0; after < record.seq;) {
      const batch = await wholeEntries(pool, mandate.id, after, record.seq, BATCH)
      if (batch.length === 0) throw new Error(`the record of ${publicId} has a gap after ${after}`)
      for (const { hash, entry } of batch) lines.push(JSON.stringify({ type: 'entry', hash, entry }))
      after += batch.length
    }
    const stored = await acting.storeFile(`record-${publicId}.ndjson`, Buffer.from(`${lines.join('\n')}\n`))
    return ok(200, { file: { ...stored, filename: `record-${publicId}.ndjson` } })
  }
