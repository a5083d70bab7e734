import { Link } from 'wouter'
import { Ago } from '../../parts/time/time.tsx'
import { Hash } from '../../parts/hash/hash.tsx'
import { Stranger } from '../../parts/stranger/stranger.tsx'
import { addressOf, pages } from '../../routes.ts'
import type { Agent } from './agents.ts'
import styles from './agent.module.css'
import type { Words } from './words.ts'

/** The agent in one line. Its name is a text of a stranger. */
export function Who({ agent, words }: { readonly agent: Agent; readonly words: Words }) {
  const { agent_id, name, wallet, last_seen_at, channel, paired_at } = agent
  return (
    <div className={styles['who']}>
      <p className={styles['name']}>
        <Stranger text={name} />
      </p>
      <ul className={styles['facts']}>
        <li>{words.named(agent_id)}</li>
        <li>
          <Hash value={wallet} />
        </li>
        <li>
          {last_seen_at === null ? (
            words.never
          ) : (
            <>
              {words.seen} <Ago time={last_seen_at} />
              {channel !== null && `, ${channel === 'http' ? words.byHttp : words.byMcp}`}
            </>
          )}
        </li>
        {paired_at !== null && (
          <li>
            {words.paired} <Ago time={paired_at} />
          </li>
        )}
        <li>
          <Link href={addressOf('agent-record', { agent: String(agent_id) })}>{words.record}</Link>
        </li>
        <li>
          <Link href={`${pages.start}?agent=${agent_id}`}>{words.offer}</Link>
        </li>
      </ul>
    </div>
  )
}
