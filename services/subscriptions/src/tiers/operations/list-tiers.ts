import { ok } from '@svc/contract'
import type { subscriptions } from '@svc/contracts/subscriptions'
import { tiers } from '@svc/contracts/subscriptions/tiers'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'

export const listTiers: BoundHandler<Context, typeof subscriptions.operations.listTiers> = () => async () =>
  ok(200, { items: [...tiers] })
