import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'

export const listMarkets: BoundHandler<Context, typeof mandates.operations.listMarkets> =
  ({ catalogue }) =>
  async (_input, call) =>
    ok(200, { items: [...(await catalogue.marketsAt(call.now))], next_cursor: null })
