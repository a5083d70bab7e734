import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { fundingRoutes } from '../funding-routes.ts'

export const listDepositRoutes: BoundHandler<Context, typeof mandates.operations.listDepositRoutes> =
  (context) => async () =>
    ok(200, { items: fundingRoutes(context), next_cursor: null })
