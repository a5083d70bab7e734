import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import { agentOf } from '../agent-of.ts'
import type { Context } from '../context.ts'
import { fromCursor, toCursor } from '../domain/page-cursor.ts'
import { offersOf } from '../store/mandates.ts'
import { vaultsOfMandates } from '../store/vaults.ts'
import { summaryView } from '../views.ts'

export const listOffers: BoundHandler<Context, typeof mandates.operations.listOffers> =
  (context) => async (input, call) => {
    const { pool } = context
    const before = input.cursor === undefined ? null : fromCursor(input.cursor)
    if (input.cursor !== undefined && before === null)
      refuse(common.invalidRequest, undefined, {}, [
        { pointer: '/query/cursor', code: 'invalid_cursor', detail: 'use next_cursor as it was answered' },
      ])
    await agentOf(context, call, input.agent_id)
    const rows = await offersOf(pool, input.agent_id, before, input.limit + 1, call.now)
    const page = rows.slice(0, input.limit)
    const vaults = new Map(
      (
        await vaultsOfMandates(
          pool,
          page.map(({ id }) => id),
        )
      ).map((one) => [one.mandate_id, one]),
    )
    return ok(200, {
      items: page.map((mandate) => summaryView(mandate, vaults.get(mandate.id) ?? null, call.now)),
      next_cursor: toCursor(rows.length > input.limit ? (page.at(-1)?.id ?? null) : null),
    })
  }
