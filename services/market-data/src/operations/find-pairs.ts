import { ok } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import type { BoundHandler } from '@svc/service'
import type { Context } from '../context.ts'
import { keyOf } from '../domain/universe.ts'

export const findPairs: BoundHandler<Context, typeof marketData.operations.findPairs> =
  ({ universe }) =>
  async ({ pairs }) =>
    ok(200, { pairs: pairs.map(({ exchange, symbol }) => universe.get(keyOf(exchange, symbol)) ?? null) })
