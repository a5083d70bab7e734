import { useShared } from '../../i18n/index.tsx'
import { Card } from '../../parts/card/card.tsx'
import { ClauseText } from '../../parts/clauses/clause-text.tsx'
import { Hash, shortened } from '../../parts/hash/hash.tsx'
import { EnforcerTag, Tag, type Enforcer } from '../../parts/tag/tag.tsx'
import type { Scene } from './scene.ts'
import styles from './mandate.module.css'

type Clause = Scene['detail']['clauses'][number]

/** The eight clauses that the owner signed: the first sentence of each, who enforces it, and the rest on demand. */
export function SignedCard({ scene: { detail, words } }: { readonly scene: Scene }) {
  const { clauses, terms_hash: hash } = detail
  const { signed } = words
  return (
    <Card
      title={hash === null ? signed.unsigned : signed.title}
      aside={hash === null ? undefined : <Hash value={hash} />}
    >
      {clauses.length === 0 && <p className={styles['fine']}>{signed.none}</p>}
      <ol className={styles['clauses']}>
        {clauses.map((clause) => (
          <ClauseRow key={clause.n} clause={clause} words={words} />
        ))}
      </ol>
      <p className={styles['fine']}>{signed.english}</p>
    </Card>
  )
}

/** Returns the first sentence of a clause without its title, and what follows. */
function partsOf(text: string): readonly [first: string, rest: string] {
  const words = text.replace(/^[A-Z][A-Za-z -]{2,40}: /, '')
  const sentence = words.charAt(0).toUpperCase() + words.slice(1)
  // A full stop ends a sentence when a capital follows; amounts and versions have stops, too.
  const end = sentence.search(/\. [A-Z]/)
  return end < 0 ? [sentence, ''] : [sentence.slice(0, end + 1), sentence.slice(end + 2)]
}

const ADDRESS = /0x[0-9a-fA-F]{40}/g

/** Longest first sentence that is shown without its list of contracts. */
const FIRST_MAX = 160

function ClauseRow({ clause, words }: { readonly clause: Clause; readonly words: Scene['words'] }) {
  const { n, text, state, state_reason: reason, leg_enforced_by: byLeg } = clause
  const enforcers: readonly Enforcer[] = [clause.enforced_by]
  const [first, rest] = partsOf(text)
  const short = first.length > FIRST_MAX ? `${first.slice(0, first.lastIndexOf(' ', FIRST_MAX))} …` : first
  const isCut = rest !== '' || short !== first
  const shared = useShared()
  return (
    <li className={state === 'stored_pending' ? styles['pending'] : ''}>
      <span className={styles['number']}>{n}</span>
      <div>
        <p className={styles['clauseName']}>{shared.clause[n as keyof typeof shared.clause]}</p>
        {isCut ? (
          <details className={styles['clause']}>
            <summary title={words.signed.full}>
              <span lang="en" className={`${styles['deed']} ${styles['short']}`}>
                {short.replaceAll(ADDRESS, shortened)}
              </span>
              <span lang="en" className={`${styles['deed']} ${styles['long']}`}>
                <ClauseText text={text} />
              </span>
            </summary>
          </details>
        ) : (
          <p lang="en" className={styles['deed']}>
            <ClauseText text={first} />
          </p>
        )}
        <p className={styles['tags']}>
          {enforcers.map((by) => (
            <EnforcerTag key={by} by={by} />
          ))}
          {clause.relies_on !== null && <EnforcerTag by={clause.relies_on} />}
          {byLeg !== null && (
            <>
              {words.signed.venue} <EnforcerTag by={byLeg} />
            </>
          )}
          {state === 'stored_pending' && (
            <span title={reason ?? undefined}>
              <Tag kind="waiting">{words.signed.pending}</Tag>
            </span>
          )}
        </p>
        {state === 'stored_pending' && reason !== null && (
          <p className={styles['fine']}>
            <bdi>{reason}</bdi>
          </p>
        )}
      </div>
    </li>
  )
}
