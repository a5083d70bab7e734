import { identity } from '@svc/contracts/identity'
import type { Clock, Job } from '@svc/service'
import type { Context } from '#context.ts'
import { forgetKeys } from '#keys/store/keys.ts'
import { forgetPairCodes } from '#pairing/store/pair-codes.ts'
import { forgetSessions } from '#sessions/store/sessions.ts'

const DAY_MS = 86_400_000

/** Deletes sessions, keys and pair codes that ended long ago, so that the tables do not grow with every sign-in. */
export const forgetEnded =
  ({ pool }: Pick<Context, 'pool'>, clock: Clock): Job =>
  async () => {
    const { max } = identity.jobs.forgetEnded
    const now = clock.now().getTime()
    const sessions = await forgetSessions(pool, new Date(now - 30 * DAY_MS), max)
    const keys = await forgetKeys(pool, new Date(now - 365 * DAY_MS), max)
    const codes = await forgetPairCodes(pool, new Date(now - 30 * DAY_MS), max)
    return { done: sessions + keys + codes, sessions, keys, codes }
  }
