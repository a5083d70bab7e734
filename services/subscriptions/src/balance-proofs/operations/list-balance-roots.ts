import { ok } from '@svc/contract'
import type { subscriptions } from '@svc/contracts/subscriptions'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { signedRoots } from '../store/balance-roots.ts'

export const listBalanceRoots: BoundHandler<Context, typeof subscriptions.operations.listBalanceRoots> =
  ({ pool }) =>
  async ({ limit }) =>
    ok(200, { items: [...(await signedRoots(pool, limit))] })
