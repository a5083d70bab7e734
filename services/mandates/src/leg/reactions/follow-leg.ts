import type { hlLeg } from '@svc/contracts/hl-leg'
import type { BoundReaction } from '@svc/service'
import type { z } from 'zod'
import { alertOwner } from '#alerts/alert-owner.ts'
import { resolveAlerts } from '#alerts/store/alerts.ts'
import type { Context, LocalContext } from '#context.ts'
import { lockMandateOfAnyone } from '#mandate/store/mandates.ts'
import { APPROVAL_ENDS, earlyEnd, NOT_BOUND, notBoundWords } from '../rules/leg-alerts.ts'
import { legOf, storeLeg } from '../store/legs.ts'
import { tellEarlyEnd } from '../tell-early-end.ts'

type Changed = z.output<typeof hlLeg.events.legChanged.payload>

/** Keeps the newest state of each leg, and tells the owner when it enters one in which it does not obey its mandate. */
export const followLeg: BoundReaction<Context, LocalContext, Changed> = {
  apply:
    (context) =>
    async (tx, { payload }) => {
      const { public_id, owner_id: _owner, reason: _reason, at, ...told } = payload
      const now = context.clock.now()
      const mandate = await lockMandateOfAnyone(tx, public_id)
      if (mandate === null) return
      const known = await legOf(tx, mandate.id)
      if (known !== null && known.changed_at > at) return
      await storeLeg(tx, mandate.id, { ...told, changed_at: at })
      const changed = known === null || known.state !== told.state
      if (changed) await resolveAlerts(tx, mandate.id, { kinds: [NOT_BOUND], about: null }, now)
      if (changed || known.valid_until !== told.valid_until)
        await resolveAlerts(tx, mandate.id, { kinds: [APPROVAL_ENDS], about: null }, now)
      const text = changed ? notBoundWords(told.state, mandate.name) : null
      if (text !== null)
        await alertOwner(
          tx,
          context,
          mandate,
          { kind: NOT_BOUND, severity: 'critical', text, about: `${told.state} ${at}` },
          now,
        )
      const end = earlyEnd(told, mandate.limits.endsAt, now)
      if (end !== null) await tellEarlyEnd(tx, context, mandate, end, now)
    },
}
