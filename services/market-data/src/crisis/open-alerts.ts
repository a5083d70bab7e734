import type { OpenAlert } from '@svc/contracts/market-data/crisis'
import type { Pool } from '@svc/postgres'
import { summarize, type LocalizedText } from './rules/crisis-text.ts'
import { judgedUntil, listEpisodes, type EpisodeRow } from './store/crisis.ts'

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

/** Open episodes, the most severe first. */
export interface OpenAlerts {
  readonly byInstance: ReadonlyMap<number, OpenAlert[]>
  ofPair(exchange: string, symbol: string): OpenAlert[]
}

/** Reads the open episodes; null if the last ten minutes have not been judged. */
export async function openAlertsAt(pool: Pool, now: Date): Promise<OpenAlerts | null> {
  const judged = await judgedUntil(pool)
  if (judged === null || now.getTime() - Date.parse(judged) > UNKNOWN_AFTER_MS) return null
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
  return { byInstance, ofPair: (exchange, symbol) => byPair.get(`${exchange} ${symbol}`) ?? [] }
}
