import { marketData } from '@svc/contracts/market-data'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { scorePairs } from '../rules/score-pairs.ts'
import { dueScores, putRules, putScore, rankedPairs } from '../store/months.ts'

export const keepScoreboard =
  ({ pool, clock }: Pick<Context, 'pool' | 'clock'>): Job =>
  async () => {
    const now = clock.now()
    let done = await putRules(pool, now)
    for (const due of await dueScores(pool, now, marketData.jobs.keepScoreboard.max))
      done += await putScore(pool, due, scorePairs(await rankedPairs(pool, due)), now)
    return { done }
  }
