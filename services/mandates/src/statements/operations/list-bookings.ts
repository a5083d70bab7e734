import { ok } from '@svc/contract'
import { BOOKINGS_MAX } from '@svc/contracts/mandates/statements'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { contractMarkets } from '#limits/market-catalogue.ts'
import { mandateOfCaller } from '#mandate/parties.ts'
import { bookingsOf } from '../rules/bookings.ts'
import { movementsOf } from '../store/movements.ts'

export const listBookings: BoundHandler<Context, typeof mandates.operations.listBookings> =
  ({ pool, deployment }) =>
  async ({ public_id, after }, call) => {
    const mandate = await mandateOfCaller(pool, public_id, call)
    // Lots follow from every booking before them.
    const all = bookingsOf(await movementsOf(pool, mandate.id), contractMarkets(deployment))
    return ok(200, {
      public_id,
      items: all.slice(after, after + BOOKINGS_MAX),
      more: all.length > after + BOOKINGS_MAX,
    })
  }
