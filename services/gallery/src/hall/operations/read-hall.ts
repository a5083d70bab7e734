import { ok } from '@svc/contract'
import type { gallery } from '@svc/contracts/gallery'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { rowView, snapshotOf } from '../hall-view.ts'
import { readPage } from '../store/pages.ts'

export const readHall: BoundHandler<Context, typeof gallery.operations.readHall> =
  (context) =>
  async ({ window, sort, accepting, operator, limit, offset }) => {
    const key = { window, sort, accepting: accepting === '1', operator: operator ?? null, limit, offset }
    const page = await readPage(context.pool, key)
    return ok(200, {
      ...snapshotOf(page?.computed_at ?? null, context),
      window,
      sort,
      total: page?.total ?? 0,
      limit,
      offset,
      items: page === null ? [] : page.rows.map((row) => rowView(row, page.computed_at)),
    })
  }
