import { ok, refuse } from '@svc/contract'
import { mandates } from '@svc/contracts/mandates'
import { usdcText } from '@svc/limits'
import { emit } from '@svc/postgres'
import type { BoundHandler, Call } from '@svc/service'
import { appendEntry } from '#record/append-entry.ts'
import { approvalView } from '../approval-view.ts'
import { factsChanged } from '#mandate/facts-changed.ts'
import type { Context } from '#context.ts'
import { ownerIdOf } from '#mandate/rules/mandate.ts'
import { knownHead } from '#neighbours/known-head.ts'
import { namedIn } from '../hold-item.ts'
import { approvalExpiry, resolveRequests } from '../lapse-approvals.ts'
import { lockMandateOfCaller, mandateOfCaller } from '#mandate/parties.ts'
import { decideItem, readApproval } from '../store/approvals.ts'
import { insertRefusal } from '#record/store/refusals.ts'
import { approvalOver, unknownApproval } from '@svc/contracts/mandates/refusals'

/** What each decision makes of an item; used is what an approval may have become meanwhile. */
const DECIDED = { approve: ['approved', 'used'], decline: ['declined'] } as const

const done = ({ isDryRun }: Call) => (isDryRun ? { ok: true as const, dry_run: true as const } : { ok: true as const })

export const decideApproval: BoundHandler<Context, typeof mandates.operations.decideApproval> =
  (context) => async (input, call) => {
    await mandateOfCaller(context.pool, input.public_id, call)
    const head = await knownHead(context, call)
    return call.effect(async (tx) => {
      const mandate = await lockMandateOfCaller(tx, input.public_id, call)
      const known = await readApproval(tx, mandate.id, input.approval_id)
      if (known === null) refuse(unknownApproval)
      const shown = approvalView(mandate.publicId, known, call.now)
      if (DECIDED[input.decision].some((status) => status === shown.status))
        return ok(200, { ...done(call), approval: shown })
      const status = input.decision === 'approve' ? 'approved' : 'declined'
      const expiresAt = approvalExpiry(context.settings, mandate, call.now)
      const item = await decideItem(tx, known.id, status, call.now, { expiresAt, head })
      if (item === null) refuse(approvalOver, undefined, { approval_status: shown.status })
      await resolveRequests(tx, mandate, [item], call.now)

      const body = {
        approval_id: item.id,
        call_hash: item.call_hash,
        ...namedIn(item),
        amount_usdc: usdcText(item.amount),
        block_number: head?.number ?? null,
        block_hash: head?.hash ?? null,
      }
      if (status === 'approved') {
        await appendEntry(tx, mandate, { at: call.now, kind: 'approval_approved', source: 'owner', body })
      } else {
        const refused = { kind: 'owner_declined', code: 'owner_declined', source: 'owner' } as const
        await insertRefusal(tx, {
          mandateId: mandate.id,
          ...refused,
          txHash: null,
          callHash: item.call_hash,
          at: call.now,
        })
        await factsChanged(tx, mandate, call.now)
        await appendEntry(tx, mandate, {
          at: call.now,
          kind: 'refused',
          source: 'owner',
          body: { kind: 'owner_declined', code: 'owner_declined', reason: 'owner_declined', clause: 6, ...body },
        })
      }
      await emit(tx, mandates.events.approvalDecided, {
        public_id: mandate.publicId,
        owner_id: ownerIdOf(mandate),
        approval_id: item.id,
        decision: input.decision,
        at: call.now.toISOString(),
      })
      return ok(200, { ...done(call), approval: approvalView(mandate.publicId, item, call.now) })
    })
  }
