import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { mandates } from '@svc/contracts/mandates'
import { unknownMandate } from '@svc/contracts/mandates-refusals'
import type { BoundHandler } from '@svc/service'
import { approvalView } from '../approval-view.ts'
import type { Context } from '../context.ts'
import { fromCursor, toCursor } from '../domain/page-cursor.ts'
import { partyOf } from '../parties.ts'
import { listApprovals as read } from '../store/approvals.ts'
import { findMandate } from '../store/mandates.ts'

export const listApprovals: BoundHandler<Context, typeof mandates.operations.listApprovals> =
  ({ pool }) =>
  async (input, call) => {
    const before = input.cursor === undefined ? null : fromCursor(input.cursor)
    if (input.cursor !== undefined && before === null)
      refuse(common.invalidRequest, undefined, {}, [
        { pointer: '/query/cursor', code: 'invalid_cursor', detail: 'use next_cursor as it was answered' },
      ])
    const mandate = await findMandate(pool, input.public_id, partyOf(call), call.now)
    if (mandate === null) refuse(unknownMandate)
    const rows = await read(pool, {
      mandateId: mandate.id,
      status: input.status ?? null,
      id: input.approval_id ?? null,
      before,
      limit: input.limit + 1,
      now: call.now,
    })
    const page = rows.slice(0, input.limit)
    return ok(200, {
      items: page.map((item) => approvalView(mandate.publicId, item, call.now)),
      next_cursor: toCursor(rows.length > input.limit ? (page.at(-1)?.seq ?? null) : null),
    })
  }
