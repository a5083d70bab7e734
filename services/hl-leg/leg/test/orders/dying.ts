import type { Call } from '@svc/service'
import { openLog } from '@svc/service'
import { dyingAfter } from '@svc/testing'
import type { Context } from '#context.ts'
import type { VenueClient } from '@svc/venue/venue-client'
import { agent, type Rig } from '../rig.ts'
import type { TestLeg } from './order-rig.ts'

/** A context of a process that ends before its step number `lives`: nothing that it asks for is answered any more. */
export interface Dying {
  readonly context: Context
  /** Resolves when the process has ended. */
  readonly ended: Promise<'killed'>
}

/**
 * Wraps a context so that the process ends between two steps. A step is a statement, a transaction, a question to a
 * neighbour, or a request to the venue: between them nothing leaves the process.
 */
export function dyingContext(context: Context, lives: number): Dying {
  const { wrap, ended } = dyingAfter(lives)
  const { pool, venue, mandates, identity } = context
  const dyingVenue = (one: VenueClient): VenueClient =>
    wrap({
      ...one,
      prepay: async (by, weight) => {
        const paid = await one.prepay(by, weight)
        return { ...paid, venue: dyingVenue(paid.venue) }
      },
    })
  const dying = { pool: wrap(pool), venue: dyingVenue(venue), mandates: wrap(mandates), identity: wrap(identity) }
  const descriptors = Object.getOwnPropertyDescriptors({ ...dying })
  return { context: Object.create(context, descriptors) as Context, ended }
}

/** A call of a mandate's agent, as the kit hands it to a handler of this context. */
export const callOf = (rig: Pick<Rig, 'clock'>, context: Context, leg: TestLeg, idempotencyKey: string): Call =>
  callFrom(rig, context, { caller: agent(leg.agentId), from: 'gateway', idempotencyKey })

/** A call of anybody, as the kit hands it to a handler of this context. */
export function callFrom(
  { clock }: Pick<Rig, 'clock'>,
  context: Context,
  who: Pick<Call, 'caller' | 'from'> & { readonly idempotencyKey?: string },
): Call {
  return {
    requestId: 'test',
    deadline: Date.now() + 20_000,
    client: null,
    now: clock.now(),
    log: openLog('test', 'silent'),
    effect: (work) => context.pool.transaction(work),
    markReplayed: () => {},
    idempotencyKey: null,
    isDryRun: false,
    ...who,
  }
}
