import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { groupOf, wholeGroups } from '../rules/record-steps.ts'
import { partyOf } from '#mandate/parties.ts'
import { mustBeReached } from '../record-cursor.ts'
import { readSteps, type StepRow } from '../store/record-steps.ts'
import { unknownMandate } from '@svc/contracts/mandates/refusals'

/** Entries younger than this are answered again, so that a reader who missed one heals by itself. */
const LATE_MS = 120_000
const PAGE_MAX = 500
/** Of the longest entries, with a note of control characters, these are 7 MB: NATS carries 8. */
const STEPS_MAX = 1_000

export const readRecord: BoundHandler<Context, typeof mandates.operations.readRecord> =
  ({ pool }) =>
  async (input, call) => {
    const { public_id } = input
    const since = Number(input.since)
    const lateFrom = new Date(call.now.getTime() - LATE_MS)
    const read = await readSteps(pool, public_id, partyOf(call), {
      now: call.now,
      since,
      upTo: since + PAGE_MAX,
      lateFrom,
      lateMax: PAGE_MAX,
      groupMax: STEPS_MAX,
      // A group that is cut would not fit behind those before it.
      groupedMax: 2 * STEPS_MAX,
    })
    if (read === null) refuse(unknownMandate)
    const { head, proved } = read
    mustBeReached(since, head)
    // Numbers of entries have no gaps.
    const pageEnd = Math.max(since, Math.min(head, since + PAGE_MAX))
    const { steps, nextSince } = wholeGroups(read.steps, since, pageEnd, STEPS_MAX)
    return ok(200, {
      public_id,
      steps: [...steps.map(stepView), ...(proved === null ? [] : [provedStep(proved)])],
      next_since: String(nextSince),
      more: nextSince < head,
    })
  }

const stepView = (entry: StepRow) => {
  const { seq, at, kind, source, tx_hash, body, hash } = entry
  return { id: `entry:${seq}`, group: groupOf(entry), seq, at, kind, source, tx_hash, body, hash }
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
