import { defineWords } from '../../i18n/index.tsx'
import type { CallDifference } from '../../lib/chain.ts'
import { Note } from '../note/note.tsx'
import { en } from './words.ts'
import styles from './foreign-call.module.css'

const useWords = defineWords(en, () => import('./words.ko.ts'))

/** A prepared call that is not what this page wrote: what differs, and that it was not sent. There is no way past it. */
export function ForeignCallNote({ differences }: { readonly differences: readonly CallDifference[] }) {
  const words = useWords()
  return (
    <Note kind="out" title={words.title} urgent>
      <p>{words.said}</p>
      <dl className={styles['list']}>
        {differences.slice(0, 4).map(({ part, here, sent }, at) => (
          // Differences have no identity and never move.
          <div key={at} className={styles['row']}>
            <dt>{words.parts[part]}</dt>
            <dd>
              {words.here} <code>{here}</code>
            </dd>
            <dd>
              {words.sent} <code>{sent}</code>
            </dd>
          </div>
        ))}
      </dl>
    </Note>
  )
}
