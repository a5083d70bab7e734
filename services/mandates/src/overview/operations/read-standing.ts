import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { standingOf } from '../store/standing.ts'

export const readStanding: BoundHandler<Context, typeof mandates.operations.readStanding> =
  ({ pool }) =>
  async ({ account_id }, { now }) =>
    ok(200, { standing: await standingOf(pool, account_id, now) })
