import type { hlLeg } from '@svc/contracts/hl-leg'
import type { BoundReaction } from '@svc/service'
import type { z } from 'zod'
import type { Context, LocalContext } from '#context.ts'
import { lockMandateOfAnyone } from '#mandate/store/mandates.ts'
import { appendEntry } from '#record/append-entry.ts'
import { hasEntryOf, LEG_ENDED } from '#record/store/record.ts'

type Ended = z.output<typeof hlLeg.events.legEnded.payload>

/** Writes into the record that the house ended the leg in place of its owner, with what stayed owed. A leg ends once. */
export const recordLegEnd: BoundReaction<Context, LocalContext, Ended> = {
  apply:
    ({ clock }) =>
    async (tx, { payload: { public_id, owner_id: _owner, at: ended_at, ...figures } }) => {
      const mandate = await lockMandateOfAnyone(tx, public_id)
      if (mandate === null || (await hasEntryOf(tx, mandate.id, LEG_ENDED))) return
      const body = { ...figures, ended_at }
      await appendEntry(tx, mandate, { at: clock.now(), kind: LEG_ENDED, source: 'server', body })
    },
}
