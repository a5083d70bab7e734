import { ok, refuse } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { accountNotLinked } from '@svc/contracts/hl-trade/account'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Address } from 'viem'
import type { Context } from '#context.ts'
import { accountOfLink } from '../own-account.ts'
import { builderFeeView } from '../own-status.ts'
import { linkOf, noteBuilderFee } from '../store/own-accounts.ts'

export const recordBuilderFee: BoundHandler<Context, typeof hlTrade.operations.recordBuilderFee> =
  (context) => async (_, call) => {
    const { pool, settings, venue } = context
    const link = await linkOf(pool, settings.network, callerOf(call).account_id)
    if (link === null) refuse(accountNotLinked, undefined, { reason: 'not_linked' })
    const builder = settings.builderAddress?.toLowerCase() as Address | undefined
    if (builder === undefined) return ok(200, { ok: true, ...builderFeeView(context, null) })
    const max = await venue.ask('orders', 'maxBuilderFee', { user: link.wallet, builder })
    const read = await noteBuilderFee(pool, link.linkId, { builder, max }, call.now)
    return ok(200, { ok: true, ...builderFeeView(context, accountOfLink(context, read)) })
  }
