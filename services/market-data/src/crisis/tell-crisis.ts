import { marketData } from '@svc/contracts/market-data'
import { emit, type Tx } from '@svc/postgres'
import { summarize } from './rules/crisis-text.ts'
import type { WorsenedEpisode } from './rules/crisis.ts'
import { episodeId, episodeText } from './open-alerts.ts'
import type { EpisodeRow } from './store/crisis.ts'

const PREFIX = { opened: '', escalated: 'Worse: ', closed: 'Over: ' } as const

/** Publishes in the feed that an episode opened or closed, in the transaction of that change. */
export async function tellCrisis(tx: Tx, episode: EpisodeRow, change: 'opened' | 'closed'): Promise<void> {
  const at = (change === 'opened' ? null : episode.closed_at) ?? episode.opened_at
  await tell(tx, episode, { change, at, inputs: episode.inputs })
}

/** Publishes in the feed that the severity of an open episode rose, with the current inputs of its rule. */
export async function tellEscalation(tx: Tx, episode: EpisodeRow, worsened: WorsenedEpisode): Promise<void> {
  await tell(tx, episode, {
    change: 'escalated',
    at: new Date(worsened.atMs).toISOString(),
    inputs: worsened.inputsNow,
  })
}

async function tell(
  tx: Tx,
  episode: EpisodeRow,
  { change, at, inputs }: { readonly at: string; readonly change: keyof typeof PREFIX } & Pick<EpisodeRow, 'inputs'>,
): Promise<void> {
  const { value, threshold } = summarize(episode.rule, inputs)
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
      text: `${PREFIX[change]}${episodeText({ ...episode, inputs }).en}`.slice(0, 500),
    },
  })
}
