import { ok, refuse } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { accountNotLinked } from '@svc/contracts/hl-trade/account'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { ownStatusOf } from '../own-status.ts'
import { linkOf } from '../store/own-accounts.ts'
import { surveyLink } from '../survey-link.ts'

export const verifyApprovals: BoundHandler<Context, typeof hlTrade.operations.verifyApprovals> =
  (context) => async (_, call) => {
    const link = await linkOf(context.pool, context.settings.network, callerOf(call).account_id)
    const surveyed = link === null ? null : await surveyLink(context, 'orders', link)
    if (surveyed === null) refuse(accountNotLinked, undefined, { reason: 'not_linked' })
    return ok(200, { ok: true as const, ...(await ownStatusOf(context, surveyed)) })
  }
