import { marketData } from '@svc/contracts/market-data'
import { emit, type Tx } from '@svc/postgres'
import { summarize } from './rules/crisis-text.ts'
import type { WorsenedEpisode } from './rules/crisis.ts'
import { closingOf, episodeId, episodeView } from './alerts.ts'
import type { EpisodeRow } from './store/crisis.ts'

/** Begin of the sentence by what happened; of a closed episode by its reason. */
const PREFIX = {
  opened: '',
  escalated: 'Worse: ',
  recovered: 'Over: ',
  ended: 'Delisted: ',
  unknown: 'Ended, not judged for 12 hours: ',
} as const

/** Publishes in the feed that an episode opened or closed, in the transaction of that change. */
export async function tellCrisis(tx: Tx, episode: EpisodeRow, change: 'opened' | 'closed'): Promise<void> {
  await tell(tx, episode, change, (change === 'opened' ? null : episode.closed_at) ?? episode.opened_at)
}

/** Publishes in the feed that the severity of an open episode rose, with what its rule reads now: its worst so far. */
export async function tellEscalation(tx: Tx, episode: EpisodeRow, worsened: WorsenedEpisode): Promise<void> {
  const at = new Date(worsened.atMs).toISOString()
  const { inputsNow } = worsened
  const worst = { ...episode, worst_inputs: inputsNow, last_inputs: inputsNow, judged_at: at }
  await tell(tx, worst, 'escalated', at)
}

async function tell(tx: Tx, episode: EpisodeRow, change: 'opened' | 'escalated' | 'closed', at: string): Promise<void> {
  const { worst, worstInputs, text } = episodeView(episode, new Date(at))
  const { threshold } = summarize(episode.rule, worstInputs)
  const closing = change === 'closed' ? closingOf(episode) : {}
  const prefix = PREFIX[change === 'closed' ? (closing.closed_as ?? 'recovered') : change]
  const { rule, severity, token_id, exchange, symbol } = episode
  await emit(tx, marketData.events.feedItemMade, {
    feed_key: 'crisis_alerts',
    at,
    data: {
      episode_id: episodeId(episode),
      change,
      ...closing,
      rule,
      severity,
      token_id,
      exchange,
      symbol,
      at,
      value: worst,
      threshold,
      text: `${prefix}${text.en}`.slice(0, 500),
    },
  })
}
