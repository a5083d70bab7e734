import { ok } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { legStandings } from '../leg-standings.ts'

export const readLegWorths: BoundHandler<Context, typeof hlLeg.operations.readLegWorths> =
  (context) =>
  async ({ public_ids }) =>
    ok(200, { legs: [...(await legStandings(context, public_ids))] })
