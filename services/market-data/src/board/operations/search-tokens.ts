import { ok } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import type { BoundHandler } from '@svc/service'
import { snapshotOf } from '../board-answer.ts'
import type { Context } from '#context.ts'
import { screenedOf } from '../rules/screen-order.ts'
import { search } from '../rules/search.ts'

export const searchTokens: BoundHandler<Context, typeof marketData.operations.searchTokens> =
  (context) =>
  async ({ q, limit }) => {
    const board = await context.board.latest()
    const found = search(board?.screened ?? screenedOf([]), q)
    const items = found.slice(0, limit).map((row) => ({
      token_id: row.token_id,
      exchange: row.exchange,
      symbol: row.symbol,
      base: row.base,
      quote: row.quote,
      name: row.name,
      name_from: row.name_from,
      name_ko: row.name_ko,
      name_ko_from: row.name_ko_from,
      grade: row.grade,
      gpa: row.gpa,
      gpa_is_lower_bound: row.gpa_is_lower_bound,
      lifecycle: row.lifecycle,
      outlook: row.outlook,
      risk_score: row.risk_score,
      alerts: row.alerts,
      recent_alerts: row.recent_alerts,
      not_judged: row.not_judged,
      volume_24h_usd: row.volume_24h_usd,
    }))
    return ok(200, { ...snapshotOf(board, context), total: found.length, items })
  }
