import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { knownHead } from '#neighbours/known-head.ts'
import { moveMandate, readMoveScene } from '../move-mandate.ts'
import { appendEntry } from '#record/append-entry.ts'
import { lockMandateOfCaller, mandateOfCaller } from '#mandate/parties.ts'
import { stopByOwnerToo, stopInRecord } from '#mandate/store/mandates.ts'
import { standing } from '#books/rules/vault.ts'
import { chainStateView, lockView } from '../mandate-view.ts'
import { wrongState } from '@svc/contracts/mandates/refusals'

const STOPPABLE = ['draft', 'signed', 'working', 'paused', 'stopped', 'ended'] as const

export const stopMandate: BoundHandler<Context, typeof mandates.operations.stopMandate> =
  (context) => async (input, call) => {
    await mandateOfCaller(context.pool, input.public_id, call)
    const head = await knownHead(context, call)
    return call.effect(async (tx) => {
      const mandate = await lockMandateOfCaller(tx, input.public_id, call)
      if (mandate.state === 'closed') refuse(wrongState, undefined, { state: mandate.state, allowed: STOPPABLE })
      const scene = await readMoveScene(tx, mandate)
      const vault = standing(scene.vault)
      const stoppedAt = mandate.stoppedInRecordAt ?? call.now
      if (mandate.stoppedInRecordBy !== 'owner') {
        if (mandate.stoppedInRecordAt === null) await stopInRecord(tx, mandate.id, { now: call.now, by: 'owner', head })
        else await stopByOwnerToo(tx, mandate.id)
        const body = { block_number: head?.number ?? null, block_hash: head?.hash ?? null }
        await appendEntry(tx, mandate, { at: call.now, kind: 'stopped_in_record', source: 'owner', body })
      }
      const stopped = await moveMandate(
        tx,
        context,
        { ...scene, mandate: { ...mandate, stoppedInRecordAt: stoppedAt, stoppedInRecordBy: 'owner' } },
        { now: call.now, source: 'owner' },
      )
      const open = vault !== null && vault.books.stopReason === 0 && call.now < mandate.limits.endsAt
      return ok(200, {
        ok: true as const,
        state: stopped.state,
        stopped_in_record_at: stoppedAt.toISOString(),
        chain_state: vault === null ? null : chainStateView(stopped, vault, call.now),
        lock: vault === null ? null : lockView(stopped, vault, call.now),
        detail: open
          ? 'The service rejects every call of the agent from now on. The vault itself is still open: send the call from stop-call to stop it on the chain.'
          : 'The service rejects every call of the agent from now on. No vault of this mandate is open.',
      })
    })
  }
