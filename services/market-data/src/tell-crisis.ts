import { marketData } from '@svc/contracts/market-data'
import { emit, type Tx } from '@svc/postgres'
import { summarize } from './domain/crisis-text.ts'
import type { EpisodeRow } from './store/crisis.ts'

/** Public id of an episode. */
export const episodeId = ({ id }: Pick<EpisodeRow, 'id'>): string => `cri_${id}`

/** One sentence about an episode. */
export const episodeText = (episode: EpisodeRow): string =>
  `${episode.symbol} on ${episode.exchange} ${summarize(episode.rule, episode.inputs).text}.`.slice(0, 500)

/** Tells in the feed that an episode began or ended, in the transaction that made it so. */
export async function tellCrisis(tx: Tx, episode: EpisodeRow, change: 'opened' | 'closed'): Promise<void> {
  const { value, threshold } = summarize(episode.rule, episode.inputs)
  const at = (change === 'opened' ? null : episode.closed_at) ?? episode.opened_at
  const { rule, severity, token_id, exchange, symbol } = episode
  await emit(tx, marketData.events.feedItemMade, {
    feed_key: 'crisis_alerts',
    at,
    data: {
      episode_id: episodeId(episode),
      change,
      rule,
      severity,
      token_id,
      exchange,
      symbol,
      at,
      value,
      threshold,
      text: change === 'opened' ? episodeText(episode) : `Over: ${episodeText(episode)}`.slice(0, 500),
    },
  })
}
