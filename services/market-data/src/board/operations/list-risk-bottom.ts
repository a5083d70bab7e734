import { ok, refuse } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import { boardRefusals, IN_CRISIS_MAX } from '@svc/contracts/market-data/board'
import type { BoundHandler } from '@svc/service'
import { snapshotOf } from '../board-answer.ts'
import type { Context } from '#context.ts'
import type { BoardEntry } from '../rules/board.ts'
import { pastWorth } from '../rules/delisting-worth.ts'
import { explainedRisk } from '../rules/explain.ts'

export const listRiskBottom: BoundHandler<Context, typeof marketData.operations.listRiskBottom> =
  (context) =>
  async ({ percent, exchange, limit, offset }) => {
    const board = await context.board.latest()
    const known = exchange === undefined || context.venues.has(exchange)
    const graded = (board?.ranked ?? []).filter(
      ({ row }) =>
        row.gpa !== null && row.lifecycle !== 'delisted' && (exchange === undefined || row.exchange === exchange),
    )
    if (!known && board !== null && graded.length === 0)
      refuse(boardRefusals.unknownExchange, `No pair of "${exchange}" is on the board.`)
    const worst = graded.toSorted(
      (a, b) =>
        (a.row.gpa ?? 0) - (b.row.gpa ?? 0) ||
        (b.risk?.score ?? -1) - (a.risk?.score ?? -1) ||
        (a.row.token_id < b.row.token_id ? -1 : 1),
    )
    const total = Math.ceil((graded.length * percent) / 100)
    const tokens = worst.slice(0, total).slice(offset, offset + limit)
    const inCrisis = (board?.ranked ?? []).filter(
      ({ row }) =>
        gravestOf(row) > 0 && row.lifecycle !== 'delisted' && (exchange === undefined || row.exchange === exchange),
    )
    return ok(200, {
      ...snapshotOf(board, context),
      formula_version: board?.formula_version ?? null,
      percent,
      graded: graded.length,
      total,
      limit,
      offset,
      worth: pastWorth(),
      tokens: tokens.map(explained),
      in_crisis: inCrisis
        .toSorted((a, b) => gravestOf(b.row) - gravestOf(a.row))
        .slice(0, IN_CRISIS_MAX)
        .map(explained),
    })
  }

const explained = (entry: BoardEntry) => ({ ...entry.row, risk: explainedRisk(entry) })
/** Returns the highest severity of the open crises; 0 without a crisis or if unknown. */
const gravestOf = ({ alerts }: BoardEntry['row']): number =>
  Math.max(0, ...(alerts ?? []).map(({ severity }) => severity))
