import { distanceText, useNow } from '../../parts/time/time.tsx'
import { useLang, useShared } from '../../i18n/index.tsx'
import type { Product, Session } from './answers.ts'
import { ExchangeName } from '../../parts/exchange-name/exchange-name.tsx'
import { isAnotherDay, sessionTime } from '../../parts/session/session-time.ts'
import styles from './trade.module.css'
import type { Words } from './words.ts'

type State = Product['session']
const LOOK: Readonly<Record<NonNullable<State>, string>> = {
  open: 'open',
  early_close: 'open',
  closed: 'closed',
  holiday: 'closed',
  projected: 'projected',
}

interface DotProps {
  readonly state: State
  readonly words: Words
  /** Whether the exchange is open, where that is known: hours may be projected for either. */
  readonly open?: boolean
}

/** State of the exchange that a market follows: a dot and a word. */
export function SessionDot({ state, words, open }: DotProps) {
  const look = state === null ? 'open' : LOOK[state]
  const { always, states } = words.sessions
  return (
    <span className={styles['session']}>
      <span className={`${styles['dot']} ${styles[look]}`} aria-hidden="true" />
      {state === 'projected' && open !== undefined && `${states[open ? 'open' : 'closed']}, `}
      {state === null ? always : states[state]}
    </span>
  )
}

/** The exchanges with their state and what changes next. */
export function SessionRibbon({ items, words }: { readonly items: readonly Session[]; readonly words: Words }) {
  const shared = useShared()
  const language = useLang()
  const now = useNow()
  const when = (time: string) =>
    isAnotherDay(time, now) ? `${sessionTime(time, now, language)} UTC` : distanceText(time, now, shared)
  return (
    <div className={styles['ribbon']} role="region" aria-label={words.sessions.title} tabIndex={0}>
      <ul>
        {items.map(({ exchange, title, state, closes_at, next_opens_at }) => (
          <li key={exchange}>
            <b title={exchange}>
              <ExchangeName mic={exchange} title={title} />
            </b>
            <SessionDot state={state} words={words} open={closes_at !== null} />
            <span className={styles['quiet']}>
              {closes_at === null ? words.sessions.opens : words.sessions.closes}{' '}
              <time dateTime={closes_at ?? next_opens_at}>{when(closes_at ?? next_opens_at)}</time>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
