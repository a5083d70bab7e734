import type { Answer } from '../../lib/routes-of-api.ts'
import { Ago } from '../../parts/time/time.tsx'
import styles from './agent.module.css'
import { changesOf } from './policy.ts'
import { ChangeList, DirectionMark } from './policy-change-list.tsx'
import type { Words } from './words.ts'

type Changes = Answer<'GET /hub/agents/{agent_id}/policy'>['changes']

/** The last ten changes of the policy; each opens to its items. */
export function PolicyChanges({ changes, words }: { readonly changes: Changes; readonly words: Words }) {
  const text = words.policy
  return (
    <section className={styles['last']}>
      <h3>{text.last}</h3>
      {changes.length === 0 && <p className={styles['quiet']}>{text.noChanges}</p>}
      {changes.map(({ change_id, changed_at, cause, direction, before, after }) => (
        <details key={change_id} className={styles['change']}>
          <summary>
            <Ago time={changed_at} />
            <span className={styles['quiet']}>{text.by[cause]}</span>
            <DirectionMark direction={direction} words={words} />
          </summary>
          <ChangeList changes={changesOf(before, after)} words={words} />
        </details>
      ))}
    </section>
  )
}
