import type { hlLeg } from '@svc/contracts/hl-leg'
import type { BoundReaction } from '@svc/service'
import type { z } from 'zod'
import { alertOwner } from '#alerts/alert-owner.ts'
import { resolveAlerts } from '#alerts/store/alerts.ts'
import type { Context, LocalContext } from '#context.ts'
import { lockMandateOfAnyone } from '#mandate/store/mandates.ts'
import { SWITCHED_OFF, switchedOffWords } from '../rules/leg-alerts.ts'

type Switched = z.output<typeof hlLeg.events.legSwitched.payload>

/** Tells the owner once that the leg is switched off while money is out, until it is on again. */
export const tellSwitched: BoundReaction<Context, LocalContext, Switched> = {
  apply:
    (context) =>
    async (tx, { payload: { public_id, off, since } }) => {
      const now = context.clock.now()
      const mandate = await lockMandateOfAnyone(tx, public_id)
      if (mandate === null) return
      if (!off) return resolveAlerts(tx, mandate.id, { kinds: [SWITCHED_OFF], about: [since] }, now)
      const text = switchedOffWords(mandate.name)
      await alertOwner(tx, context, mandate, { kind: SWITCHED_OFF, severity: 'warning', text, about: since }, now)
    },
}
