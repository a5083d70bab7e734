import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { mining } from '@svc/contracts/mining'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { fromCursor, toCursor } from '#page-cursor.ts'
import { approvalsNeeded, daysAfter, LAPSE_DAYS } from '../rules/review.ts'
import { reviewQueue as read } from '../store/review-queue.ts'

export const reviewQueue: BoundHandler<Context, typeof mining.operations.reviewQueue> = (context) => async (input) => {
  const place = input.cursor === undefined ? null : fromCursor(input.cursor, 2)
  if (input.cursor !== undefined && place === null) {
    refuse(common.invalidRequest, undefined, {}, [
      { pointer: '/cursor', code: 'bad_cursor', detail: 'is no cursor of this list' },
    ])
  }
  const after = place === null ? null : { standing: place[0] ?? 0, seq: place[1] ?? 0 }
  const rows = await read(context.pool, after, input.limit + 1)
  const page = rows.slice(0, input.limit)
  const last = page.at(-1)
  return ok(200, {
    items: page.map(({ seq: _seq, standing, approved, rejected, ...row }) => ({
      ...row,
      miner: { approved, rejected, acceptance_lower_bound: standing },
      approvals_needed: approvalsNeeded(row.field_name),
      lapses_at: daysAfter(new Date(row.submitted_at), LAPSE_DAYS).toISOString(),
    })),
    next_cursor: toCursor(rows.length > input.limit && last !== undefined ? [last.standing, last.seq] : null),
  })
}
