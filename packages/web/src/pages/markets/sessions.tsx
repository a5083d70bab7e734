import { defineWords, useLang } from '../../i18n/index.tsx'
import { every } from '../../lib/polling.ts'
import { useRead } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Card } from '../../parts/card/card.tsx'
import { ExchangeName } from '../../parts/exchange-name/exchange-name.tsx'
import { Read } from '../../parts/read/read.tsx'
import { sessionTime } from '../../parts/session/session-time.ts'
import { hoursOf, piecesOf } from './ribbon.ts'
import styles from './sessions.module.css'
import { en, type Words } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

type Session = Answer<'GET /hub/info/sessions'>['items'][number]

const percent = (share: number) => `${share * 100}%`

/** When exchanges are open in the next 24 hours. It begins at the time of the answer, not at that of this device. */
export function Sessions() {
  const words = useWords()
  const read = useRead('GET /hub/info/sessions', {}, { every: every.board })
  return (
    <Card title={words.sessions}>
      <p className={styles['lead']}>{words.sessionsLead}</p>
      <Read of={read}>
        {({ computed_at, items }) => (
          <div className={styles['ribbon']}>
            <ul className={styles['rows']}>
              {items.map((session) => (
                <Row key={session.exchange} session={session} start={Date.parse(computed_at)} words={words} />
              ))}
            </ul>
            <div className={styles['hours']} aria-hidden="true">
              {hoursOf(Date.parse(computed_at)).map(({ hour, at }) => (
                <span key={at} style={{ left: percent(at) }}>
                  {String(hour).padStart(2, '0')}
                </span>
              ))}
            </div>
          </div>
        )}
      </Read>
    </Card>
  )
}

interface RowProps {
  readonly session: Session
  readonly start: number
  readonly words: Words
}

function Row({ session, start, words }: RowProps) {
  const { closes_at, next_opens_at, markets, state } = session
  const language = useLang()
  const at = sessionTime(closes_at ?? next_opens_at, start, language)
  const isOpen = closes_at !== null
  const when = isOpen ? words.closes(at) : words.opens(at)
  return (
    <li className={styles['row']} title={markets.join(', ')}>
      <span className={styles['name']}>
        <ExchangeName mic={session.exchange} title={session.title} />
      </span>
      <span className={styles['when']}>
        <b className={styles[isOpen ? 'open' : 'shut']}>
          {words.states[state === 'projected' ? (isOpen ? 'open' : 'closed') : state]}
        </b>
        , {state === 'projected' && `${words.projected}, `}
        {when}
        {markets.length > 0 && <span className={styles['lead']}> · {words.follow(String(markets.length))}</span>}
      </span>
      <span className={styles['track']} aria-hidden="true">
        {piecesOf(session, start).map((piece) => (
          <span
            key={piece.kind}
            className={styles[piece.kind === 'open' ? 'now' : 'next']}
            style={{ left: percent(piece.from), width: percent(piece.to - piece.from) }}
          />
        ))}
      </span>
    </li>
  )
}
