import { ok } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { fromActivityCursor, toActivityCursor } from '#page-cursor.ts'
import { pageStart, pageOf } from '#page.ts'
import { agentOfCaller } from '#mandate/parties.ts'
import { activityOf } from '../store/activity.ts'

export const listActivity: BoundHandler<Context, typeof mandates.operations.listActivity> =
  (context) => async (input, call) => {
    const end = pageStart(input.cursor, fromActivityCursor)
    await agentOfCaller(context, input.agent_id, call)
    const rows = await activityOf(context.pool, input.agent_id, end, input.limit + 1)
    const page = pageOf(rows, input.limit)
    return ok(200, {
      items: page.items.map(({ place: _place, ...item }) => item),
      next_cursor: page.end === null ? null : toActivityCursor(page.end),
    })
  }
