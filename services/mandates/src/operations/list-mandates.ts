import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '../context.ts'
import { fromCursor, toCursor } from '../domain/page-cursor.ts'
import { partyOf } from '../parties.ts'
import { listMandates as listStored } from '../store/mandates.ts'
import { vaultsOfMandates } from '../store/vaults.ts'
import { summaryView } from '../views.ts'

export const listMandates: BoundHandler<Context, typeof mandates.operations.listMandates> =
  ({ pool }) =>
  async (input, call) => {
    const before = input.cursor === undefined ? null : fromCursor(input.cursor)
    if (input.cursor !== undefined && before === null)
      refuse(common.invalidRequest, undefined, {}, [
        { pointer: '/query/cursor', code: 'invalid_cursor', detail: 'use next_cursor as it was answered' },
      ])
    const query = { party: partyOf(call), before, limit: input.limit, now: call.now }
    const { items, next } = await listStored(pool, query)
    const vaults = await vaultsOfMandates(
      pool,
      items.map(({ id }) => id),
    )
    const ofMandate = new Map(vaults.map((vault) => [vault.mandate_id, vault]))
    return ok(200, {
      items: items.map((mandate) => summaryView(mandate, ofMandate.get(mandate.id) ?? null, call.now)),
      next_cursor: toCursor(next),
    })
  }
