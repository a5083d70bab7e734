import type { SharedWords } from '../../i18n/en.ts'
import { useShared } from '../../i18n/index.tsx'
import { utcDate, utcText } from '../../lib/time.ts'
import { Hash } from '../../parts/hash/hash.tsx'
import { Stranger } from '../../parts/stranger/stranger.tsx'
import { Ago, Clock, distanceText, useNow } from '../../parts/time/time.tsx'
import { isOver, stateOf, type Scene } from './scene.ts'
import styles from './mandate.module.css'

const DAY_MS = 86_400_000

/** Returns how far an end is, in days also beyond the week. */
function inDays(time: string, now: number, shared: SharedWords): string {
  const days = Math.floor((Date.parse(time) - now) / DAY_MS)
  return days < 1 ? distanceText(time, now, shared) : shared.time.in(shared.time.days(days))
}

/** Who works under the mandate, where its money lies, and until when. */
export function Facts({ scene }: { readonly scene: Scene }) {
  const { detail, live, words } = scene
  const shared = useShared()
  const now = useNow()
  const { agent, chain_state: chain, limits, progress, expires_at: expires } = detail
  const seen = live?.agent ?? agent
  const name = agent?.name ?? null
  const over = Date.parse(limits.ends_at) <= now
  const isClosed = stateOf(scene) === 'closed'
  const cause = progress.state_cause === null ? undefined : words.causes[progress.state_cause]
  return (
    <ul className={styles['facts']}>
      {agent !== null && (
        <li>
          {words.agent} <b>{name === null ? `#${agent.agent_id}` : <Stranger text={name} />}</b>{' '}
          <Hash value={agent.wallet} />
          {', '}
          {agent.accepted_at === null ? (
            words.notAccepted
          ) : seen?.last_seen_at == null ? (
            words.neverCalled
          ) : (
            <span title={utcText(seen.last_seen_at)}>
              {words.called(distanceText(seen.last_seen_at, now, shared), seen.channel)}
            </span>
          )}
        </li>
      )}
      {chain !== null && (
        <li>
          {words.vault} <Hash value={chain.vault} />
        </li>
      )}
      {!isClosed && (over || !isOver(scene)) && (
        <li title={utcText(limits.ends_at)}>
          {over
            ? words.ended(utcDate(limits.ends_at))
            : words.ends(inDays(limits.ends_at, now, shared), utcDate(limits.ends_at))}
        </li>
      )}
      {expires !== null && (
        <li>
          {words.expires} <Ago time={expires} />
        </li>
      )}
      {cause !== undefined && (
        <li>
          {cause}, <Clock time={detail.stopped_in_record_at ?? progress.state_since} />
        </li>
      )}
    </ul>
  )
}
