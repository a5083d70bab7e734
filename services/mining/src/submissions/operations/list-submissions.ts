import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { mining } from '@svc/contracts/mining'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { fromCursor, toCursor } from '#page-cursor.ts'
import { listSubmissions as list } from '../store/submissions.ts'

export const listSubmissions: BoundHandler<Context, typeof mining.operations.listSubmissions> =
  (context) => async (input, call) => {
    const place = input.cursor === undefined ? null : fromCursor(input.cursor, 1)
    if (input.cursor !== undefined && place === null) {
      refuse(common.invalidRequest, undefined, {}, [
        { pointer: '/cursor', code: 'bad_cursor', detail: 'is no cursor of this list' },
      ])
    }
    const { items, next } = await list(context.pool, {
      accountId: callerOf(call).account_id,
      status: input.status ?? null,
      before: place?.[0] ?? null,
      limit: input.limit,
    })
    return ok(200, { items, next_cursor: toCursor(next === null ? null : [next]) })
  }
