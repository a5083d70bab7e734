import type { subscriptions } from '@svc/contracts/subscriptions'
import type { BoundReaction } from '@svc/service'
import type { z } from 'zod'
import type { Context, LocalContext } from '#context.ts'
import { insertCherryMove } from '../store/activity.ts'

type Moved = z.output<typeof subscriptions.events.cherryMoved.payload>

/** Stores each movement of an account's Cherry, for the activity of agents. */
export const noteCherry: BoundReaction<Context, LocalContext, Moved> = {
  apply:
    () =>
    (tx, { at, payload }) =>
      insertCherryMove(tx, payload, at),
}
