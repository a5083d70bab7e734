import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { fundingAssets } from '../funding-routes.ts'

export const listDepositAssets: BoundHandler<Context, typeof mandates.operations.listDepositAssets> =
  (context) => async () =>
    ok(200, { items: fundingAssets(context), next_cursor: null })
