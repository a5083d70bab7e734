import { ok } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import type { BoundHandler } from '@svc/service'
import type { Context } from '../context.ts'
import { summarize } from '../domain/crisis-text.ts'
import { judgedUntil, listEpisodes } from '../store/crisis.ts'
import { storedSource } from '../store/venues.ts'
import { episodeId, episodeText } from '../tell-crisis.ts'

const DAYS_MS = 7 * 86_400_000

export const listCrisisAlerts: BoundHandler<Context, typeof marketData.operations.listCrisisAlerts> =
  ({ pool }) =>
  async ({ exchange, state, limit }, call) => {
    const since = state === 'all' ? new Date(call.now.getTime() - DAYS_MS) : null
    const { total, items } = await listEpisodes(pool, { exchange: exchange ?? null, since, limit })
    return ok(200, {
      computed_at: await judgedUntil(pool),
      source: await storedSource(pool),
      total,
      items: items.map((episode) => {
        const { value, threshold } = summarize(episode.rule, episode.inputs)
        return {
          episode_id: episodeId(episode),
          rule: episode.rule,
          severity: episode.severity,
          token_id: episode.token_id,
          exchange: episode.exchange,
          symbol: episode.symbol,
          opened_at: episode.opened_at,
          closed_at: episode.closed_at,
          close_reason: episode.close_reason,
          value,
          threshold,
          text: episodeText(episode),
          inputs: episode.inputs,
          rules_version: episode.rules_version,
        }
      }),
    })
  }
