import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { fromCursor, toCursor } from '#page-cursor.ts'
import { pageStart } from '#page.ts'
import { partyOf } from '#mandate/parties.ts'
import { listMandates as listStored } from '#mandate/store/mandates.ts'
import { vaultsOfMandates } from '#books/store/vaults.ts'
import { summaryView } from '#states/mandate-view.ts'

export const listMandates: BoundHandler<Context, typeof mandates.operations.listMandates> =
  ({ pool }) =>
  async (input, call) => {
    const before = pageStart(input.cursor, fromCursor)
    const query = { party: partyOf(call), before, limit: input.limit, now: call.now }
    const { items, next } = await listStored(pool, query)
    const vaults = await vaultsOfMandates(pool, items)
    return ok(200, {
      items: items.map((mandate) => summaryView(mandate, vaults.get(mandate.id) ?? null, call.now)),
      next_cursor: toCursor(next),
    })
  }
