import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import { unknownOrder } from '@svc/contracts/hl-trade/orders'
import { scopeDenied } from '@svc/contracts/identity/pairing'
import { callerOf, type Call } from '@svc/service'
import type { Context } from '#context.ts'
import { orderKeyOf } from './rules/order-keys.ts'
import { bindConfirmKey } from './store/confirm-keys.ts'
import { tradeByConfirm, type TradeOrder } from './store/trade-orders.ts'

/**
 * Returns the order that an owner confirms, and binds the Idempotency-Key of the call to it. Refuses agents, because their
 * orders wait for the owner, a confirm_id of anybody else, and a key that confirmed another order.
 */
export async function confirmedOrder(
  { pool, clock }: Pick<Context, 'pool' | 'clock'>,
  call: Call,
  route: string,
  confirmId: string,
): Promise<TradeOrder> {
  const { account_id: accountId, kind } = callerOf(call)
  if (kind !== 'owner')
    refuse(scopeDenied, 'Only the owner confirms orders; those of an agent wait in GET /hub/order/pending.', {
      fix: 'Ask your owner to confirm the order on the page /ui/trade, before it expires.',
      human_action: { who: 'owner', url: '/ui/trade', route: 'POST /hub/order/execute' },
    })
  const order = (await tradeByConfirm(pool, accountId, confirmId)) ?? refuse(unknownOrder)
  const key = orderKeyOf(route, call.idempotencyKey)
  if (key === null) return order
  const bound = await bindConfirmKey(pool, { accountId, key, confirmId }, clock.now())
  return bound === confirmId ? order : refuse(common.idempotencyMismatch)
}
