import { distanceText, useNow } from '../../parts/time/time.tsx'
import { useShared } from '../../i18n/index.tsx'
import type { Product, Session } from './answers.ts'
import { ExchangeName } from '../../parts/exchange-name/exchange-name.tsx'
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

/** State of the exchange that a market follows: a dot and a word. */
export function SessionDot({ state, words }: { readonly state: State; readonly words: Words }) {
  const look = state === null ? 'open' : LOOK[state]
  return (
    <span className={styles['session']}>
      <span className={`${styles['dot']} ${styles[look]}`} aria-hidden="true" />
      {state === null ? words.sessions.always : words.sessions.states[state]}
    </span>
  )
}

/** The exchanges with their state and what changes next. */
export function SessionRibbon({ items, words }: { readonly items: readonly Session[]; readonly words: Words }) {
  const shared = useShared()
  const now = useNow()
  return (
    <div className={styles['ribbon']} role="region" aria-label={words.sessions.title} tabIndex={0}>
      <ul>
        {items.map(({ exchange, title, state, closes_at, next_opens_at }) => (
          <li key={exchange}>
            <b title={exchange}>
              <ExchangeName mic={exchange} title={title} />
            </b>
            <SessionDot state={state} words={words} />
            <span className={styles['quiet']}>
              {closes_at === null ? words.sessions.opens : words.sessions.closes}{' '}
              <time dateTime={closes_at ?? next_opens_at}>{distanceText(closes_at ?? next_opens_at, now, shared)}</time>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
