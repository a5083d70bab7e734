import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import { agentOf } from '../agent-of.ts'
import type { Context } from '../context.ts'
import { fromActivityCursor, toActivityCursor } from '../domain/page-cursor.ts'
import { activityOf } from '../store/activity.ts'

export const listActivity: BoundHandler<Context, typeof mandates.operations.listActivity> =
  (context) => async (input, call) => {
    const end = input.cursor === undefined ? null : fromActivityCursor(input.cursor)
    if (input.cursor !== undefined && end === null)
      refuse(common.invalidRequest, undefined, {}, [
        { pointer: '/query/cursor', code: 'invalid_cursor', detail: 'use next_cursor as it was answered' },
      ])
    await agentOf(context, call, input.agent_id)
    const rows = await activityOf(context.pool, input.agent_id, end, input.limit + 1)
    const page = rows.slice(0, input.limit)
    const last = page.at(-1)
    return ok(200, {
      items: page.map(({ place: _place, ...item }) => item),
      next_cursor: rows.length > input.limit && last !== undefined ? toActivityCursor(last) : null,
    })
  }
