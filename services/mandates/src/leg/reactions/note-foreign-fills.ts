import type { hlLeg } from '@svc/contracts/hl-leg'
import type { BoundReaction } from '@svc/service'
import type { z } from 'zod'
import type { Context, LocalContext } from '#context.ts'
import { factsChanged } from '#mandate/facts-changed.ts'
import { findMandateOfAnyone } from '#mandate/store/mandates.ts'
import { noteForeignDay } from '../store/foreign-days.ts'

type Counted = z.output<typeof hlLeg.events.foreignFillsCounted.payload>

/** Keeps on which days others traded in the account of a leg: what it earned then is not known to be the agent's. */
export const noteForeignFills: BoundReaction<Context, LocalContext, Counted> = {
  apply:
    () =>
    async (tx, { payload: { public_id, day, fills } }) => {
      const mandate = await findMandateOfAnyone(tx, public_id)
      if (mandate === null || !(await noteForeignDay(tx, mandate.id, day, fills))) return
      await factsChanged(tx, mandate, new Date(`${day}T12:00:00.000Z`))
    },
}
