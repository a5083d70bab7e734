import { ok } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { ownAccountOf } from '../own-account.ts'
import { builderFeeView } from '../own-status.ts'

export const readBuilderFeeStatus: BoundHandler<Context, typeof hlTrade.operations.readBuilderFeeStatus> =
  (context) => async (_, call) =>
    ok(200, builderFeeView(context, await ownAccountOf(context, callerOf(call).account_id)))
