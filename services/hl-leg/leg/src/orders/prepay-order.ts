import { weightOf } from '@svc/hyperliquid'
import type { Context } from '#context.ts'
import { payAhead, type PaidContext } from '#venue/pay-ahead.ts'
import { ACTION_WEIGHT } from '@svc/venue/venue-client'
import type { OrderRequest } from './order-request.ts'

/** Pays for the usual requests of an order: account and book before it, and what becomes of it. */
export const prepayOrder = (context: Context, { reduceOnly }: OrderRequest): Promise<PaidContext> =>
  payAhead(
    context,
    reduceOnly ? 'closes' : 'orders',
    weightOf('clearinghouseState') * (context.settings.dexes.length + 1) +
      weightOf('l2Book') +
      ACTION_WEIGHT +
      weightOf('userFillsByTime'),
  )
