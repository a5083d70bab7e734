import { ok } from '@svc/contract'
import type { hlRelay } from '@svc/contracts/hl-relay'
import { ORDERS_MAX } from '@svc/contracts/hl-relay/venue-shapes'
import type { BoundHandler } from '@svc/service'
import { envelope } from '#cache/envelope.ts'
import type { Context } from '#context.ts'
import { askAboutUser } from '../user-answer.ts'

export const readOrderHistory: BoundHandler<Context, typeof hlRelay.operations.readOrderHistory> =
  (context) =>
  async ({ user, limit }) => {
    const reading = await askAboutUser(context, 'historicalOrders', user, ORDERS_MAX)
    return ok(200, envelope(context, reading, reading.data.slice(0, limit)))
  }
