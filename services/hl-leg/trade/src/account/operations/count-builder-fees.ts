import { ok } from '@svc/contract'
import { BUILDER_FEE_TENTHS } from '@svc/contracts/common/builder-fee'
import type { hlTrade } from '@svc/contracts/hl-trade'
import type { BoundHandler } from '@svc/service'
import type { Address } from 'viem'
import type { Context } from '#context.ts'
import { countApproved } from '../store/own-accounts.ts'

export const countBuilderFees: BoundHandler<Context, typeof hlTrade.operations.countBuilderFees> =
  ({ pool, settings }) =>
  async (_, call) => {
    const builder = settings.builderAddress as Address | null
    const approved = builder === null ? 0 : await countApproved(pool, settings.network, builder, BUILDER_FEE_TENTHS)
    return ok(200, { approved, computed_at: call.now.toISOString() })
  }
