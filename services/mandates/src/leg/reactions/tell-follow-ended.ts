import type { gallery } from '@svc/contracts/gallery'
import type { BoundReaction } from '@svc/service'
import type { z } from 'zod'
import { alertOwner } from '#alerts/alert-owner.ts'
import type { Context, LocalContext } from '#context.ts'
import { lockMandateOfAnyone } from '#mandate/store/mandates.ts'
import { FOLLOW_ENDED, followEndedWords } from '../rules/leg-alerts.ts'

type Ended = z.output<typeof gallery.events.followEnded.payload>

/** Tells the owner that the house follows a listing no more, and that positions stay. */
export const tellFollowEnded: BoundReaction<Context, LocalContext, Ended> = {
  apply:
    (context) =>
    async (tx, { payload: { follow_id, public_id, listing_title, reason } }) => {
      const mandate = await lockMandateOfAnyone(tx, public_id)
      if (mandate === null) return
      const text = followEndedWords(mandate.name, listing_title, reason)
      const alert = { kind: FOLLOW_ENDED, severity: 'warning', text, about: follow_id } as const
      await alertOwner(tx, context, mandate, alert, context.clock.now())
    },
}
