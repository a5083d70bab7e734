import { ok } from '@svc/contract'
import type { gallery } from '@svc/contracts/gallery'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { operatorView } from '../operator-view.ts'
import { allOperators } from '../store/operators.ts'

export const listOperatorEntries: BoundHandler<Context, typeof gallery.operations.listOperatorEntries> =
  ({ pool }) =>
  async () =>
    ok(200, { items: (await allOperators(pool)).map(operatorView) })
