import { ok, refuse } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import { boardRefusals, OPEN_ROWS_MAX } from '@svc/contracts/market-data/board'
import type { BoundHandler } from '@svc/service'
import { snapshotOf } from '../board-answer.ts'
import type { Context } from '#context.ts'
import { matcher } from '../rules/search.ts'

export const readBoard: BoundHandler<Context, typeof marketData.operations.readBoard> =
  (context) =>
  async ({ exchange, q, limit, offset }, call) => {
    const board = await context.board.latest()
    const rows = board?.ranked.map((entry) => entry.row) ?? []
    const ofExchange = exchange === undefined ? rows : rows.filter((row) => row.exchange === exchange)
    if (exchange !== undefined && board !== null && ofExchange.length === 0 && !context.venues.has(exchange))
      refuse(boardRefusals.unknownExchange, `No pair of "${exchange}" is on the board.`)
    const fits = q === undefined ? ofExchange : ofExchange.filter(matcher(q))
    const rowsMax = call.caller === null ? Math.min(limit, OPEN_ROWS_MAX) : limit
    return ok(200, {
      ...snapshotOf(board, context),
      formula_version: board?.formula_version ?? null,
      total: fits.length,
      limit: rowsMax,
      limit_reason: rowsMax < limit ? 'without_key' : null,
      offset,
      tokens: fits.slice(offset, offset + rowsMax),
    })
  }
