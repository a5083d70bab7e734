import { defineWords } from '../../i18n/index.tsx'
import { Ago } from '../../parts/time/time.tsx'
import { Card } from '../../parts/card/card.tsx'
import type { AgentAnswer } from './answers.ts'
import styles from './agent-record.module.css'
import { en } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

/** Results on paper, apart from all figures and on another ground. */
export function Paper({ books }: { readonly books: NonNullable<AgentAnswer['paper']> }) {
  const words = useWords()
  return (
    <Card title={words.paper} kind="sunk">
      <p className={styles['small']}>{words.paperLead}</p>
      <ul className={styles['rows']}>
        {books.map((book) => (
          <li key={book.listing_id}>
            <code>{book.listing_id}</code>
            <span>{words.paperRow(String(book.value), String(book.fills))}</span>
            <span className={styles['small']}>
              {words.since} <Ago time={book.opened_at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
