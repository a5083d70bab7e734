import type { LegOrderRequest } from '@svc/contracts/mandates/approvals'
import { usdcText } from '@svc/limits'
import type { Context } from '#context.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { worthSinceOf } from '#worth/store/worth.ts'
import { judgeOrder } from './judge-order.ts'

/** An older worth is not used as the present worth. */
const WORTH_MAX_AGE_MS = 3_600_000
/** No order has this key, so that every reservation of the day counts. */
const NO_KEY = ''

/**
 * Judges an order as one of the agent by the clauses and the newest stored worth, at hl-leg's estimate of what it would do
 * now. Nothing is written.
 */
export async function simulateOrder(context: Context, mandate: Mandate, request: LegOrderRequest, now: Date) {
  const { market, side, amount_usdc } = request
  const { estimate, missing } = await context.legClient.simulateOrder(mandate.publicId, request)
  const worth = await worthSinceOf(context.pool, mandate.id, new Date(now.getTime() - WORTH_MAX_AGE_MS))
  const order = {
    public_id: mandate.publicId,
    order_key: NO_KEY,
    account_id: mandate.agent?.id ?? 0,
    as: 'agent',
    market,
    side,
    opening: estimate?.opening ?? true,
    notional_usdc: estimate?.notional_usdc ?? amount_usdc ?? '0',
    worth_low_usdc: worth === null ? null : usdcText(worth),
    loss_usdc: estimate?.loss_usdc ?? '0',
    request,
    guards: [],
    dry_run: true,
  } as const
  const { block } = await judgeOrder(context.pool, context, mandate, {
    order: { ...order, guards: [] },
    now,
  })
  return {
    ok: true as const,
    public_id: mandate.publicId,
    passes: block.kind === null && estimate !== null,
    judgement: block,
    chain: null,
    leg: { estimate, missing },
  }
}
