import { ok } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { perPairsWeek } from '../rules/score-pairs.ts'
import { readMonths } from '../store/months.ts'

export const readScoreboard: BoundHandler<Context, typeof marketData.operations.readScoreboard> =
  ({ pool, source }) =>
  async () => {
    const { scores, rules, since } = await readMonths(pool)
    return ok(200, {
      source,
      since,
      scores: scores.map(({ month, top_pairs, top_delisted, computed_at, ...score }) => ({
        month: month.slice(0, 7),
        ...score,
        computed_at: computed_at.toISOString(),
        top_tenth: { pairs: top_pairs, delisted: top_delisted },
      })),
      rules: rules.map(({ month, recovered, ended, unknown, computed_at, ...did }) => ({
        month: month.slice(0, 7),
        ...did,
        computed_at: computed_at.toISOString(),
        per_100_pairs_week: perPairsWeek(did),
        closed: { recovered, ended, unknown },
      })),
    })
  }
