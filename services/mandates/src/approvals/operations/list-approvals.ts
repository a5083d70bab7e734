import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import { approvalView } from '../approval-view.ts'
import type { Context } from '#context.ts'
import { fromCursor, toCursor } from '#page-cursor.ts'
import { pageStart, pageOf } from '#page.ts'
import { mandateOfCaller } from '#mandate/parties.ts'
import { listApprovals as read } from '../store/approvals.ts'

export const listApprovals: BoundHandler<Context, typeof mandates.operations.listApprovals> =
  ({ pool }) =>
  async (input, call) => {
    const before = pageStart(input.cursor, fromCursor)
    const mandate = await mandateOfCaller(pool, input.public_id, call)
    const rows = await read(pool, {
      mandateId: mandate.id,
      status: input.status ?? null,
      id: input.approval_id ?? null,
      before,
      limit: input.limit + 1,
      now: call.now,
    })
    const page = pageOf(rows, input.limit)
    return ok(200, {
      items: page.items.map((item) => approvalView(mandate.publicId, item, call.now)),
      next_cursor: toCursor(page.end?.seq ?? null),
    })
  }
