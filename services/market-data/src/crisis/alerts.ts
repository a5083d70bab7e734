import { isDeepStrictEqual } from 'node:util'
import { MEMORY_DAYS, type NotJudgedRules, type OpenAlert, type PastAlert } from '@svc/contracts/market-data/crisis'
import type { Pool } from '@svc/postgres'
import { floorAfter } from './rules/crisis-floors.ts'
import { presentOf, summarize, type LocalizedText } from './rules/crisis-text.ts'
import type { ClosedEpisode } from './rules/crisis.ts'
import {
  closedAs,
  judgedExchanges,
  listEpisodes,
  notJudgedPairs,
  recentEpisodes,
  type EpisodeRow,
} from './store/crisis.ts'

/** If the last judged minute is older, it is unknown which episodes are open. */
const UNKNOWN_AFTER_MS = 10 * 60_000
const OPEN_MAX = 50_000
const DAY_MS = 86_400_000

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

/** Returns an open episode as answers have it. */
const openAlertOf = (episode: EpisodeRow, now: Date): OpenAlert => {
  const { rule, severity, opened_at } = episode
  return { episode_id: episodeId(episode), rule, severity, opened_at, text: episodeView(episode, now).text }
}

/** Returns an episode that is over as answers have it. */
export const pastAlertOf = (episode: EpisodeRow & { readonly closed_at: string }, now: Date): PastAlert => {
  const { text, ...opening } = openAlertOf(episode, now)
  return { ...opening, closed_at: episode.closed_at, ...closingOf(episode), text }
}

/**
 * What answers say of the crises of a pair. `alerts` and `not_judged` are null if the last ten minutes of the exchange have not been
 * judged.
 */
interface PairAlerts {
  alerts: OpenAlert[] | null
  recent_alerts: PastAlert[]
  not_judged: NotJudgedRules
}

/** Episodes of pairs, open ones and remembered ones, the most severe first. */
export interface Alerts {
  ofInstance(exchange: string, instanceId: number): PairAlerts
  ofPair(exchange: string, symbol: string): PairAlerts
}

/** Reads the episodes. An exchange that fell silent has open episodes still, and no pair of it is known to be calm. */
export async function alertsAt(pool: Pool, now: Date): Promise<Alerts> {
  const since = new Date(now.getTime() - MEMORY_DAYS * DAY_MS)
  const judged = await judgedExchanges(pool)
  const { items } = await listEpisodes(pool, { exchange: null, since: null, limit: OPEN_MAX })
  const over = await recentEpisodes(pool, since, OPEN_MAX)
  const notJudged = new Map(
    (await notJudgedPairs(pool)).flatMap(({ instance_id, exchange, symbol, rules }) => [
      [String(instance_id), rules],
      [`${exchange} ${symbol}`, rules],
    ]),
  )
  const known = new Set(
    judged
      .filter(({ minute }) => now.getTime() - Date.parse(minute) <= UNKNOWN_AFTER_MS)
      .map(({ exchange }) => exchange),
  )
  const open = byPlace(items.toSorted(bySeverity))
  const recent = byPlace(heaviest(over, now).toSorted(bySeverity))
  // Most callers ask for few pairs, so texts are made of those alone.
  const at = (place: string, exchange: string): PairAlerts => ({
    alerts: open.get(place)?.map((one) => openAlertOf(one, now)) ?? (known.has(exchange) ? NO_OPEN : null),
    recent_alerts: recent.get(place)?.map((one) => pastAlertOf(one, now)) ?? NO_RECENT,
    not_judged: known.has(exchange) ? (notJudged.get(place) ?? NONE_MISSED) : null,
  })
  return {
    ofInstance: (exchange, instanceId) => at(String(instanceId), exchange),
    ofPair: (exchange, symbol) => at(`${exchange} ${symbol}`, exchange),
  }
}

const bySeverity = (a: EpisodeRow, b: EpisodeRow) => b.severity - a.severity

/** Groups episodes by instance, and by exchange and symbol. */
function byPlace<E extends EpisodeRow>(episodes: readonly E[]): ReadonlyMap<string, E[]> {
  const places = new Map<string, E[]>()
  for (const episode of episodes) {
    const own = places.get(String(episode.instance_id)) ?? []
    own.push(episode)
    places.set(String(episode.instance_id), own)
    places.set(`${episode.exchange} ${episode.symbol}`, own)
  }
  return places
}

/** Returns of each pair and rule the episode with the highest floor now. */
function heaviest<E extends EpisodeRow & { readonly closed_at: string }>(episodes: readonly E[], now: Date): E[] {
  const floorOf = ({ severity, closed_at }: E) => floorAfter(severity, Date.parse(closed_at), now.getTime())
  const best = new Map<string, E>()
  for (const episode of episodes) {
    const name = `${episode.instance_id} ${episode.rule}`
    const known = best.get(name)
    if (known === undefined || floorOf(episode) > floorOf(known)) best.set(name, episode)
  }
  return [...best.values()]
}

/** One list each for all pairs without an alert. */
const NO_OPEN: OpenAlert[] = []
const NO_RECENT: PastAlert[] = []
const NONE_MISSED: NotJudgedRules = []

/** Returns true if what was computed at a time may no longer say that a pair has no open episode. */
export const isTooOldForCalm = (computedAt: string, now: Date): boolean =>
  now.getTime() - Date.parse(computedAt) > UNKNOWN_AFTER_MS
