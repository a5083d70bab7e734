import { ok } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import { callerOf, type BoundHandler } from '@svc/service'
import { paperPositions } from '#books/paper-positions.ts'
import type { Context } from '#context.ts'
import { paperView, livePositions } from '../positions.ts'

export const readPositions: BoundHandler<Context, typeof hlTrade.operations.readPositions> =
  (context) => async (_, call) => {
    const { account_id: ownerId } = callerOf(call)
    const [live, paper] = await Promise.all([livePositions(context, ownerId), paperPositions(context, ownerId)])
    return ok(200, {
      live: live?.positions ?? null,
      live_read_at: live?.readAt.toISOString() ?? null,
      paper: paper.flatMap(({ book, positions }) => positions.map((position) => paperView(book, position))),
    })
  }
