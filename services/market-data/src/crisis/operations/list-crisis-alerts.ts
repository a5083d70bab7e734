import { ok, refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import type { marketData } from '@svc/contracts/market-data'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { summarize } from '../rules/crisis-text.ts'
import { closingOf, episodeId, episodeView } from '../alerts.ts'
import { judgedExchanges, judgedUntil, listEpisodes } from '../store/crisis.ts'
import { storedSource } from '#listings/store/venues.ts'

const DAYS_MS = 7 * 86_400_000
/** The state of an exchange is unknown if its last judged minute is older. */
const STALE_MS = 5 * 60_000

export const listCrisisAlerts: BoundHandler<Context, typeof marketData.operations.listCrisisAlerts> =
  ({ pool }) =>
  async ({ exchange, state, since, limit }, call) => {
    const oldest = call.now.getTime() - DAYS_MS
    if (since !== undefined && state === 'all' && Date.parse(since) < oldest)
      refuse(common.invalidRequest, undefined, {}, [
        { pointer: '/query/since', code: 'too_early', detail: 'lies more than 7 days back; give a later time' },
      ])
    const { total, items } = await listEpisodes(pool, {
      exchange: exchange ?? null,
      since: state === 'all' ? new Date(oldest) : null,
      changed: since === undefined ? null : new Date(since),
      limit,
    })
    const isStale = (minute: string | null) => minute === null || call.now.getTime() - Date.parse(minute) > STALE_MS
    const exchanges = (await judgedExchanges(pool)).filter((one) => exchange === undefined || one.exchange === exchange)
    const computedTo = exchanges.map(({ minute }) => minute).toSorted()[0] ?? null
    return ok(200, {
      computed_at: await judgedUntil(pool),
      computed_to: computedTo,
      stale: isStale(computedTo),
      exchanges: exchanges.map((one) => ({
        exchange: one.exchange,
        computed_to: one.minute,
        stale: isStale(one.minute),
      })),
      source: await storedSource(pool),
      total,
      items: items.map((episode) => {
        const { value, threshold } = summarize(episode.rule, episode.inputs)
        const { worst, worstInputs, now, text } = episodeView(episode, call.now)
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
          ...closingOf(episode),
          value,
          threshold,
          worst_value: worst,
          value_now: now,
          text: text.en,
          inputs: episode.inputs,
          worst_inputs: worstInputs,
          rules_version: episode.rules_version,
        }
      }),
    })
  }
