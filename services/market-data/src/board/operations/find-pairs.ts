import { ok } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { lookUpPairs } from '#listings/pair-lookup.ts'

export const findPairs: BoundHandler<Context, typeof marketData.operations.findPairs> =
  (context) =>
  async ({ pairs }) =>
    ok(200, { pairs: [...(await lookUpPairs(context, pairs))] })
