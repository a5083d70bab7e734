import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { unknownMandate } from '@svc/contracts/mandates/refusals'
import type { BoundHandler } from '@svc/service'
import { alertOwner } from '#alerts/alert-owner.ts'
import type { Context } from '#context.ts'
import { lockMandateOfAnyone, stopInRecord } from '#mandate/store/mandates.ts'
import { knownHead } from '#neighbours/known-head.ts'
import { appendEntry } from '#record/append-entry.ts'
import { hasEntryOf } from '#record/store/record.ts'
import { moveMandate, readMoveScene } from '#states/move-mandate.ts'
import { stopLineWords } from '../rules/stop-line-words.ts'

/** The entry of the record that tells of the stop, once for a mandate. */
const KIND = 'leg_stop_line'

export const stopForLine: BoundHandler<Context, typeof mandates.operations.stopForLine> =
  (context) => async (input, call) => {
    const head = await knownHead(context, call)
    return call.effect(async (tx) => {
      const { now } = call
      const mandate = (await lockMandateOfAnyone(tx, input.public_id)) ?? refuse(unknownMandate)
      if (await hasEntryOf(tx, mandate.id, KIND)) return ok(200, { ok: true as const, state: mandate.state })
      const { worth_usdc, stop_line_usdc, read_at, closed, caused_by: causedBy = null } = input
      const block = { block_number: head?.number ?? null, block_hash: head?.hash ?? null }
      const cause = causedBy === null ? {} : { caused_by: causedBy }
      const body = {
        worth_usdc,
        stop_line_usdc,
        read_at,
        ...cause,
        closed: closed.map((one) => ({ ...one })),
        ...block,
      }
      await appendEntry(tx, mandate, { at: now, kind: KIND, source: 'server', body })
      if (mandate.stoppedInRecordAt === null) await stopInRecord(tx, mandate.id, { now, by: 'stop_line', head })
      const stopped = {
        ...mandate,
        stoppedInRecordAt: mandate.stoppedInRecordAt ?? now,
        stoppedInRecordBy: mandate.stoppedInRecordBy ?? ('stop_line' as const),
      }
      const crossed = { worth: worth_usdc, line: stop_line_usdc, readAt: read_at, causedBy, closed }
      const said = stopLineWords(mandate, crossed)
      const scene = { ...(await readMoveScene(tx, mandate)), mandate: stopped }
      const { state } = await moveMandate(tx, context, scene, { now, source: 'server', said })
      // A mandate that was stopped before does not move, and its owner still has to know what was closed.
      if (state === mandate.state)
        await alertOwner(
          tx,
          context,
          mandate,
          { kind: 'stop_line_fired', severity: 'critical', text: said, about: KIND },
          now,
        )
      return ok(200, { ok: true as const, state })
    })
  }
