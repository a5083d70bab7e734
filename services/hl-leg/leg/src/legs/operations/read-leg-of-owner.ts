import { ok } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { liveLegOf } from '../store/legs.ts'

export const readLegOfOwner: BoundHandler<Context, typeof hlLeg.operations.readLegOfOwner> =
  ({ pool }) =>
  async ({ network, address }) => {
    const leg = await liveLegOf(pool, network, address)
    return ok(200, { leg: leg === null ? null : { public_id: leg.publicId, state: leg.state } })
  }
