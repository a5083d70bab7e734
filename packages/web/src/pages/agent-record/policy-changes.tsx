import { defineWords } from '../../i18n/index.tsx'
import { Ago } from '../../parts/time/time.tsx'
import { Card } from '../../parts/card/card.tsx'
import type { AgentAnswer } from './answers.ts'
import styles from './policy-changes.module.css'
import { en } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

type Change = AgentAnswer['policy_changes'][number]

/** The last changes of a policy, each as the way in which the limit moved. */
export function PolicyChanges({ changes }: { readonly changes: readonly Change[] }) {
  const words = useWords()
  return (
    <Card title={words.policy}>
      {changes.length === 0 ? (
        <p className={styles['lead']}>{words.noPolicy}</p>
      ) : (
        <>
          <p className={styles['lead']}>{words.policyLead}</p>
          <ol className={styles['changes']}>
            {changes.map((change) => (
              <li key={change.changed_at}>
                <Arrow direction={change.direction} />
                <span>
                  <b>{words.directions[change.direction]}</b>:{' '}
                  {change.items.map((item) => words.items[item]).join(', ')}
                </span>
                <span className={styles['time']}>
                  <Ago time={change.changed_at} />
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
    </Card>
  )
}

const IN = 'M17 6H6m0 0 3-3M6 6l3 3'
const OUT = 'M23 6h11m0 0-3-3m3 3-3 3'

/** A post, and the way in which it moved: to the inside or to the outside. */
function Arrow({ direction }: Pick<Change, 'direction'>) {
  return (
    <svg className={styles['arrow']} viewBox="0 0 40 12" width="40" height="12" aria-hidden="true">
      <path className={styles['post']} d="M20 0v12" />
      {direction !== 'widen' && <path className={styles['in']} d={IN} />}
      {direction !== 'tighten' && <path className={styles['out']} d={OUT} />}
    </svg>
  )
}
