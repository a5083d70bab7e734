import { defineWords } from '../../i18n/index.tsx'
import { kindParts, KINDS, type Kind } from './kinds.ts'
import styles from './refusals.module.css'
import { en, type Words } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

const isKnown = (kind: string): kind is Kind => (KINDS as readonly string[]).includes(kind)

/** Returns a kind of refusal in words; one that these pages do not know as it came. */
const kindText = (kind: string, words: Words): string => (isKnown(kind) ? words.kinds[kind] : kind)

interface RefusalsProps {
  readonly refusals: { readonly total: number; readonly by_kind: Readonly<Record<string, number>> }
  /** The greatest total of the list, so that rails can be compared. */
  readonly most: number
  /** Names the kinds below the rail, each with its number, instead of the total before it. */
  readonly named?: boolean
}

/** Refused attempts as a rail: a part for each kind, as long as its number. */
export function Refusals({ refusals, most, named = false }: RefusalsProps) {
  const words = useWords()
  const parts = kindParts(refusals.by_kind, most)
  const inWords = parts.map(({ kind, count }) => words.part(String(count), kindText(kind, words)))
  if (refusals.total === 0) return <span className={styles['none']}>{words.none}</span>
  return (
    <div className={styles['refusals']}>
      <div
        className={styles['line']}
        role="img"
        aria-label={words.told(String(refusals.total), inWords.join(', '))}
        title={inWords.join('\n')}
      >
        {!named && <span className={styles['total']}>{refusals.total}</span>}
        <span className={styles['track']}>
          {parts.map(({ kind, share }) => (
            <span key={kind} className={styles['part']} style={{ width: `${share * 100}%` }} />
          ))}
        </span>
      </div>
      {named && (
        <ul className={styles['kinds']}>
          {parts.map(({ kind, count }) => (
            <li key={kind}>
              <bdi>{kindText(kind, words)}</bdi> <b>{count}</b>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
