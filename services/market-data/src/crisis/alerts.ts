import { isDeepStrictEqual } from 'node:util'
import type { OpenAlert } from '@svc/contracts/market-data/crisis'
import type { Pool } from '@svc/postgres'
import { presentOf, summarize, type LocalizedText } from './rules/crisis-text.ts'
import type { ClosedEpisode } from './rules/crisis.ts'
import { closedAs, judgedExchanges, listEpisodes, type EpisodeRow } from './store/crisis.ts'

/** If the last judged minute is older, it is unknown which episodes are open. */
const UNKNOWN_AFTER_MS = 10 * 60_000
const OPEN_MAX = 50_000

/** Returns the public id of an episode. */
export const episodeId = ({ id }: Pick<EpisodeRow, 'id'>): string => `cri_${id}`

/** An episode at its worst and at present. */
export interface EpisodeView {
  /** What the rule read when it was strongest: the severity is that of this minute. */
  readonly worstInputs: EpisodeRow['inputs']
  readonly worst: number | null
  /** Null if the last ten minutes have not been judged, or if the episode is over. */
  readonly now: number | null
  /** One sentence with both, at most 500 characters. */
  readonly text: LocalizedText
}

/** Returns an episode at its worst and, while it is open, at present. */
export function episodeView(episode: EpisodeRow, at: Date): EpisodeView {
  const { symbol, exchange, rule, inputs, worst_inputs, last_inputs, judged_at, closed_at } = episode
  const worstInputs = worst_inputs ?? inputs
  const { value, text } = summarize(rule, worstInputs)
  const isRecent = at.getTime() - Date.parse(judged_at ?? episode.opened_at) <= UNKNOWN_AFTER_MS
  const lastInputs = judged_at === null ? inputs : last_inputs
  const now = presentOf(rule, closed_at === null && isRecent ? lastInputs : null, worstInputs)
  // At its worst an episode needs no further words.
  const isWorst = isDeepStrictEqual(lastInputs, worstInputs) && isRecent
  const present = now.text ?? { en: 'unknown', ko: '미확인' }
  const more =
    closed_at !== null || isWorst ? { en: '', ko: '' } : { en: ` (now ${present.en})`, ko: `(현재 ${present.ko})` }
  return {
    worstInputs,
    worst: value,
    now: now.value,
    text: {
      en: `${symbol} on ${exchange} ${text.en}${more.en}.`.slice(0, 500),
      ko: `${exchange} ${symbol}: ${text.ko}${more.ko}.`.slice(0, 500),
    },
  }
}

/** Returns why an episode is over, as answers and feed items have it; nothing while it is open. */
export function closingOf(episode: Parameters<typeof closedAs>[0]): { closed_as?: ClosedEpisode['reason'] } {
  const reason = closedAs(episode)
  return reason === null ? {} : { closed_as: reason }
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
    alerts.push({ episode_id: episodeId(episode), rule, severity, opened_at, text: episodeView(episode, now).text })
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
