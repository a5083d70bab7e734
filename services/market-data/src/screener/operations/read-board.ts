import { ok, refuse } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import { boardRefusals, OPEN_ROWS_MAX } from '@svc/contracts/market-data/board'
import { screenerRefusals } from '@svc/contracts/market-data/screener'
import type { BoundHandler } from '@svc/service'
import { snapshotOf } from '#board/board-answer.ts'
import type { Context } from '#context.ts'
import { chosen, screen } from '#board/rules/screen.ts'
import { screenedOf } from '#board/rules/screen-order.ts'

const NOTHING = screenedOf([])

export const readBoard: BoundHandler<Context, typeof marketData.operations.readBoard> =
  (context) =>
  async ({ fields, snapshot, ...query }, call) => {
    const { exchange, limit, offset } = query
    const board = await context.board.latest()
    const present = board?.id ?? null
    if (snapshot !== undefined && snapshot !== present)
      refuse(screenerRefusals.snapshotReplaced, undefined, { snapshot: present })
    if (exchange !== undefined && board?.exchanges.has(exchange) === false && !context.venues.has(exchange))
      refuse(boardRefusals.unknownExchange, `No pair of "${exchange}" is on the board.`)
    const rowsMax = call.caller === null ? Math.min(limit, OPEN_ROWS_MAX) : limit
    const { total, rows } = screen(board?.screened ?? NOTHING, { ...query, limit: rowsMax })
    return ok(200, {
      ...snapshotOf(board, context),
      snapshot: present,
      formula_version: board?.formula_version ?? null,
      total,
      limit: rowsMax,
      limit_reason: rowsMax < limit ? 'without_key' : null,
      offset,
      tokens: [...chosen(rows, fields)],
    })
  }
