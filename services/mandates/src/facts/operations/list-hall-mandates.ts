import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { signedMandates } from '../store/hall-mandates.ts'

export const listHallMandates: BoundHandler<Context, typeof mandates.operations.listHallMandates> =
  ({ pool }) =>
  async ({ after, limit }) =>
    ok(200, { mandates: [...(await signedMandates(pool, after ?? '', limit))] })
