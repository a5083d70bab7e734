import { ok } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { orderKeyOf } from '#orders/rules/order-keys.ts'
import { findOrder } from '#orders/store/orders.ts'

export const readFollowOrder: BoundHandler<Context, typeof hlLeg.operations.readFollowOrder> =
  ({ pool }) =>
  async ({ public_id: publicId, idempotency_key: key }) => {
    const orderKey = orderKeyOf(key, null)
    const order = orderKey === null ? null : await findOrder(pool, publicId, orderKey)
    return ok(200, {
      order:
        order === null
          ? null
          : { state: order.state, filled_size: order.filledSize, average_price: order.averagePrice },
    })
  }
