import type { hlLeg } from '@svc/contracts/hl-leg'
import type { BoundReaction } from '@svc/service'
import type { z } from 'zod'
import type { Context, LocalContext } from '#context.ts'
import { alertOwner } from '#alerts/alert-owner.ts'
import { lockMandateOfAnyone } from '#mandate/store/mandates.ts'
import { appendEntry } from '#record/append-entry.ts'
import { hasEntryOf, LEG_ENDED } from '#record/store/record.ts'
import { ENDED_BY_HOUSE, endedByHouseWords } from '../rules/leg-alerts.ts'

type Ended = z.output<typeof hlLeg.events.legEnded.payload>

/** Records that the house ended the leg in place of its owner, with what stayed owed, and alerts the owner. A leg ends once. */
export const recordLegEnd: BoundReaction<Context, LocalContext, Ended> = {
  apply:
    (context) =>
    async (tx, { payload: { public_id, owner_id: _owner, at: ended_at, ...figures } }) => {
      const mandate = await lockMandateOfAnyone(tx, public_id)
      if (mandate === null || (await hasEntryOf(tx, mandate.id, LEG_ENDED))) return
      const body = { ...figures, ended_at }
      const now = context.clock.now()
      await appendEntry(tx, mandate, { at: now, kind: LEG_ENDED, source: 'server', body })
      const text = endedByHouseWords(mandate.name, figures)
      await alertOwner(tx, context, mandate, { kind: ENDED_BY_HOUSE, severity: 'critical', text, about: ended_at }, now)
    },
}
