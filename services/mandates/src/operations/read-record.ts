import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { unknownMandate } from '@svc/contracts/mandates-refusals'
import type { BoundHandler } from '@svc/service'
import type { Context } from '../context.ts'
import { groupOf, pageOf } from '../domain/record-steps.ts'
import { partyOf } from '../parties.ts'
import { findMandate } from '../store/mandates.ts'
import { entriesOfGroups, entriesSince, newestProved, type StepRow } from '../store/record-steps.ts'

/** Entries younger than this are answered again, so that a reader who missed one heals by itself. */
const LATE_MS = 120_000
const PAGE_MAX = 500
const STEPS_MAX = 2_000

export const readRecord: BoundHandler<Context, typeof mandates.operations.readRecord> =
  ({ pool }) =>
  async (input, call) => {
    const mandate = await findMandate(pool, input.public_id, partyOf(call), call.now)
    if (mandate === null) refuse(unknownMandate)
    const { publicId } = mandate
    const since = Number(input.since)
    const lateFrom = new Date(call.now.getTime() - LATE_MS)
    const found = await entriesSince(pool, mandate.id, { since, lateFrom, limit: PAGE_MAX + 1 })
    if (found.length === 0) return ok(200, { public_id: publicId, steps: [], next_since: input.since, more: false })

    const { page, nextSince, more } = pageOf(found, since, PAGE_MAX)
    const transactions = [...new Set(page.flatMap(({ tx_hash }) => tx_hash ?? []))]
    const approvals = [...new Set(page.flatMap((one) => (one.tx_hash === null ? (one.approval_id ?? []) : [])))]
    const rest =
      transactions.length + approvals.length === 0
        ? []
        : await entriesOfGroups(pool, mandate.id, { transactions, approvals }, STEPS_MAX)
    const whole = new Map([...page, ...rest].map((entry) => [entry.seq, entry]))
    const entries = [...whole.values()].toSorted((one, other) => one.seq - other.seq).slice(0, STEPS_MAX)
    const proved = await newestProved(pool, mandate.id)
    return ok(200, {
      public_id: publicId,
      steps: [...entries.map(stepView), ...(proved === null ? [] : [provedStep(proved)])],
      next_since: String(nextSince),
      more,
    })
  }

const stepView = (entry: StepRow) => {
  const { approval_id: _id, ...shown } = entry
  return { id: `entry:${entry.seq}`, group: groupOf(entry), ...shown }
}

/** One step that moves on: up to where the chain has proved the record. */
function provedStep(entry: StepRow) {
  const { seq, at, tx_hash, hash, body } = entry
  const { block_number, block_hash, name } = body
  return {
    id: 'proved',
    group: 'proved',
    seq,
    at,
    kind: 'proved',
    source: 'chain',
    tx_hash,
    body: { seq, block_number, block_hash, name },
    hash,
  }
}
