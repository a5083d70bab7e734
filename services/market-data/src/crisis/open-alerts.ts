import type { OpenAlert } from '@svc/contracts/market-data/crisis'
import type { Pool } from '@svc/postgres'
import { summarize, type LocalizedText } from './rules/crisis-text.ts'
import { judgedExchanges, listEpisodes, type EpisodeRow } from './store/crisis.ts'

/** If the last judged minute is older, it is unknown which episodes are open. */
const UNKNOWN_AFTER_MS = 10 * 60_000
const OPEN_MAX = 50_000

/** Returns the public id of an episode. */
export const episodeId = ({ id }: Pick<EpisodeRow, 'id'>): string => `cri_${id}`

/** Returns one sentence about an episode, at most 500 characters. */
export function episodeText({
  symbol,
  exchange,
  rule,
  inputs,
}: Pick<EpisodeRow, 'symbol' | 'exchange' | 'rule' | 'inputs'>): LocalizedText {
  const { en, ko } = summarize(rule, inputs).text
  return { en: `${symbol} on ${exchange} ${en}.`.slice(0, 500), ko: `${exchange} ${symbol}: ${ko}.`.slice(0, 500) }
}

/** Open episodes of pairs, the most severe first. Null if the last ten minutes of the exchange have not been judged. */
export interface OpenAlerts {
  ofInstance(exchange: string, instanceId: number): OpenAlert[] | null
  ofPair(exchange: string, symbol: string): OpenAlert[] | null
}

/** Reads the open episodes. An exchange that fell silent has open episodes still, and no pair of it is known to be calm. */
export async function openAlertsAt(pool: Pool, now: Date): Promise<OpenAlerts> {
  const judged = await judgedExchanges(pool)
  const known = new Set(
    judged
      .filter(({ minute }) => now.getTime() - Date.parse(minute) <= UNKNOWN_AFTER_MS)
      .map(({ exchange }) => exchange),
  )
  const { items } = await listEpisodes(pool, { exchange: null, since: null, limit: OPEN_MAX })
  const byInstance = new Map<number, OpenAlert[]>()
  const byPair = new Map<string, OpenAlert[]>()
  for (const episode of items.toSorted((a, b) => b.severity - a.severity)) {
    const { instance_id, exchange, symbol, rule, severity, opened_at } = episode
    const alerts = byInstance.get(instance_id) ?? []
    alerts.push({ episode_id: episodeId(episode), rule, severity, opened_at, text: episodeText(episode) })
    byInstance.set(instance_id, alerts)
    byPair.set(`${exchange} ${symbol}`, alerts)
  }
  const orUnknown = (exchange: string, alerts: OpenAlert[] | undefined) =>
    alerts ?? (known.has(exchange) ? NO_ALERTS : null)
  return {
    ofInstance: (exchange, instanceId) => orUnknown(exchange, byInstance.get(instanceId)),
    ofPair: (exchange, symbol) => orUnknown(exchange, byPair.get(`${exchange} ${symbol}`)),
  }
}

/** One list for all pairs without an alert. */
const NO_ALERTS: OpenAlert[] = []

/** Returns true if what was computed at a time may no longer say that a pair has no open episode. */
export const isTooOldForCalm = (computedAt: string, now: Date): boolean =>
  now.getTime() - Date.parse(computedAt) > UNKNOWN_AFTER_MS
