import { subscriptions } from '@svc/contracts/subscriptions'
import { emit } from '@svc/postgres'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { lapseEnded } from '../store/subscriptions.ts'

/** Sets subscriptions that have ended to Free and publishes it. */
export const lapse =
  ({ pool, clock }: Context): Job =>
  async () =>
    pool.transaction(async (tx) => {
      const lapsed = await lapseEnded(tx, clock.now(), subscriptions.jobs.lapse.max)
      for (const { account_id, tier } of lapsed) {
        await emit(tx, subscriptions.events.tierChanged, {
          account_id,
          previous_tier: tier,
          tier: 0,
          ends_at: null,
          cause: 'lapse',
        })
      }
      return { done: lapsed.length }
    })
