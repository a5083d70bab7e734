import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { callerOf, type BoundHandler } from '@svc/service'
import { approvalView } from '../approval-view.ts'
import { quoteOf } from '../quote-of.ts'
import type { Context } from '#context.ts'
import { fromCursor, toCursor } from '#page-cursor.ts'
import { pageStart, pageOf } from '#page.ts'
import { mandateOfCaller } from '#mandate/parties.ts'
import { listApprovals as read } from '../store/approvals.ts'

export const listApprovals: BoundHandler<Context, typeof mandates.operations.listApprovals> =
  (context) => async (input, call) => {
    const before = pageStart(input.cursor, fromCursor)
    const mandate = await mandateOfCaller(context.pool, input.public_id, call)
    const rows = await read(context.pool, {
      mandateId: mandate.id,
      status: input.status ?? null,
      id: input.approval_id ?? null,
      before,
      limit: input.limit + 1,
      now: call.now,
    })
    const page = pageOf(rows, input.limit)
    // A quote costs calls of the chain: it is for the owner, who decides, and for the one item that was named.
    const isAsked = input.approval_id !== undefined && callerOf(call).kind === 'owner'
    const [named] = isAsked ? page.items : []
    const quote = named === undefined ? {} : { quote: await quoteOf(context, named, call) }
    return ok(200, {
      items: page.items.map((item) => ({ ...approvalView(mandate.publicId, item, call.now), ...quote })),
      next_cursor: toCursor(page.end?.seq ?? null),
    })
  }
