import { ok } from '@svc/contract'
import type { subscriptions } from '@svc/contracts/subscriptions'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { paidByAny } from '../store/holds.ts'

export const readPaid: BoundHandler<Context, typeof subscriptions.operations.readPaid> =
  ({ pool }) =>
  async ({ account_ids, resources }) =>
    ok(200, { resources: [...(await paidByAny(pool, account_ids, resources))] })
