import { ok } from '@svc/contract'
import type { gallery } from '@svc/contracts/gallery'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { placeOf, toCursor } from '#page-cursor.ts'
import { operatorView } from '../operator-view.ts'
import { operatorsAfter } from '../store/operators.ts'

export const listOperatorEntries: BoundHandler<Context, typeof gallery.operations.listOperatorEntries> =
  ({ pool }) =>
  async ({ limit, cursor }) => {
    const rows = await operatorsAfter(pool, placeOf(cursor) ?? 0, limit + 1)
    const page = rows.slice(0, limit)
    const next = rows.length > limit ? toCursor(page.at(-1)?.seq ?? 0) : null
    return ok(200, { items: page.map(operatorView), next_cursor: next })
  }
