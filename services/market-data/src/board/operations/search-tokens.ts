import { ok } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import type { BoundHandler } from '@svc/service'
import { snapshotOf } from '../board-answer.ts'
import type { Context } from '#context.ts'
import { search } from '../rules/search.ts'

export const searchTokens: BoundHandler<Context, typeof marketData.operations.searchTokens> =
  (context) =>
  async ({ q, limit }) => {
    const board = await context.board.latest()
    const found = search(board?.ranked.map((entry) => entry.row) ?? [], q)
    const items = found
      .slice(0, limit)
      .map(
        ({
          token_id,
          exchange,
          symbol,
          base,
          quote,
          name,
          grade,
          gpa,
          lifecycle,
          outlook,
          alerts,
          volume_24h_usd,
        }) => ({
          token_id,
          exchange,
          symbol,
          base,
          quote,
          name,
          grade,
          gpa,
          lifecycle,
          outlook,
          alerts,
          volume_24h_usd,
        }),
      )
    return ok(200, { ...snapshotOf(board, context), total: found.length, items })
  }
