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
    const { state, limit } = input
    const items: ReturnType<typeof summaryView>[] = []
    let next = pageStart(input.cursor, fromCursor)
    // The state of a mandate follows from its vault and the time, so that it is known only once the mandate was read.
    do {
      const query = { party: partyOf(call), before: next, limit: limit - items.length, now: call.now }
      const page = await listStored(pool, query)
      const vaults = await vaultsOfMandates(pool, page.items)
      const shown = page.items.map((mandate) => summaryView(mandate, vaults.get(mandate.id) ?? null, call.now))
      items.push(...shown.filter((one) => state === undefined || one.state === state))
      next = page.next
    } while (next !== null && items.length < limit)
    return ok(200, { items, next_cursor: toCursor(next) })
  }
