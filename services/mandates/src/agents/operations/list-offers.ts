import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { fromCursor, toCursor } from '#page-cursor.ts'
import { pageStart, pageOf } from '#page.ts'
import { agentOfCaller } from '#mandate/parties.ts'
import { offersOf } from '#mandate/store/mandates.ts'
import { vaultsOfMandates } from '#books/store/vaults.ts'
import { summaryView } from '#states/mandate-view.ts'

export const listOffers: BoundHandler<Context, typeof mandates.operations.listOffers> =
  (context) => async (input, call) => {
    const { pool } = context
    const before = pageStart(input.cursor, fromCursor)
    await agentOfCaller(context, input.agent_id, call)
    const rows = await offersOf(pool, input.agent_id, before, input.limit + 1, call.now)
    const page = pageOf(rows, input.limit)
    const vaults = await vaultsOfMandates(pool, page.items)
    return ok(200, {
      items: page.items.map((mandate) => ({
        ...summaryView(mandate, vaults.get(mandate.id) ?? null, call.now),
        signed: mandate.state !== 'draft',
      })),
      next_cursor: toCursor(page.end?.id ?? null),
    })
  }
