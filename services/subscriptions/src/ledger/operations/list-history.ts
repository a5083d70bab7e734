import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { subscriptions } from '@svc/contracts/subscriptions'
import type { BoundHandler } from '@svc/service'
import { accountFor } from '#account-of.ts'
import type { Context } from '#context.ts'
import { decodeCursor, encodeCursor } from '../rules/history-cursor.ts'
import { historyOf } from '../store/ledger.ts'

export const listHistory: BoundHandler<Context, typeof subscriptions.operations.listHistory> =
  (context) => async (input, call) => {
    const below = input.cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeCursor(input.cursor)
    if (below === null) {
      refuse(common.invalidRequest, undefined, {}, [
        { pointer: '/query/cursor', code: 'invalid_cursor', detail: 'use next_cursor of the page before' },
      ])
    }
    // One more than requested shows whether a next page exists.
    const { id } = await accountFor(context, input.agent_id, call)
    const rows = await historyOf(context.pool, id, below, input.limit + 1)
    const items = rows
      .slice(0, input.limit)
      .map(({ bought_by, ...item }) => (bought_by === null ? item : { ...item, bought_by }))
    const last = items.at(-1)
    return ok(200, {
      items,
      next_cursor: rows.length > input.limit && last !== undefined ? encodeCursor(last.transfer_id) : null,
    })
  }
