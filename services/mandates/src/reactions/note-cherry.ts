import type { subscriptions } from '@svc/contracts/subscriptions'
import type { Reaction } from '@svc/service'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { insertCherryMove } from '../store/activity.ts'

type Moved = z.output<typeof subscriptions.events.cherryMoved.payload>

/** Keeps a reference to each movement of an account's Cherry, for the activity of agents. */
export const noteCherry =
  (_context: Context): Reaction<Moved> =>
  (moved, { at }, tx) =>
    insertCherryMove(tx, moved, at)
