import { useMemo } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import { dayOf, tallyOf, type DayAttempt, type DraftFigures } from '../../lib/judge.ts'
import { shownAmount } from '../../lib/money.ts'
import { Amount } from '../amount/amount.tsx'
import { Card } from '../card/card.tsx'
import { VerdictTag } from '../tag/tag.tsx'
import { en, type Words } from './words.ts'
import styles from './day.module.css'

const useWords = defineWords(en, () => import('./words.ko.ts'))

const TAGS = { passes: 'pass', asks: 'ask', refused: 'refuse' } as const

/** A made-up day in which the agent goes too far, judged by the rules of the vault while a limit moves. */
export function Day({ figures, id }: { readonly figures: DraftFigures; readonly id?: string }) {
  const words = useWords()
  const day = useMemo(() => dayOf(figures), [figures])
  return (
    <div id={id} className={styles['place']} tabIndex={-1}>
      <Card title={words.title}>
        <p className={styles['lead']}>{words.lead}</p>
        <ol aria-label={words.list}>
          {day.map((attempt) => (
            <Attempt key={attempt.time} attempt={attempt} figures={figures} words={words} />
          ))}
        </ol>
      </Card>
    </div>
  )
}

interface AttemptProps {
  readonly attempt: DayAttempt
  readonly figures: DraftFigures
  readonly words: Words
}

function Attempt({ attempt, figures, words }: AttemptProps) {
  const why = whyOf(attempt, figures, words, shownAmount)
  const what =
    attempt.what === 'buys'
      ? words.buys
      : attempt.what === 'foreign'
        ? words.foreign
        : figures.stopLine === 0n
          ? words.worthHalf
          : words.worthAtLine
  return (
    <li className={`${styles['attempt']} ${styles[attempt.verdict]}`}>
      <span className={styles['time']}>{attempt.time}</span>
      <span>
        {what}{' '}
        {attempt.amount !== null && (
          <strong>
            <Amount units={attempt.amount} />
          </strong>
        )}
      </span>
      <VerdictTag verdict={TAGS[attempt.verdict]} />
      {why !== null && <span className={styles['why']}>{why}</span>}
    </li>
  )
}

function whyOf(
  { verdict, code, most, what }: DayAttempt,
  { approvalAbove, perTxCap, stopLine }: DraftFigures,
  words: Words,
  show: (units: bigint) => string,
): string | null {
  if (verdict === 'passes') return what === 'worth' && stopLine === 0n ? words.noLine : null
  if (verdict === 'asks')
    return approvalAbove === null || approvalAbove === 0n ? words.asksAll : words.asksAbove(show(approvalAbove))
  switch (code) {
    case 'over_per_tx_cap':
      return words.why.over_per_tx_cap(show(perTxCap))
    case 'over_daily_cap':
      return words.why.over_daily_cap(show(most ?? 0n))
    case 'insufficient_funds':
      return words.why.insufficient_funds(show(most ?? 0n))
    case 'call_not_allowed':
      return words.notListed
    case 'stopped_by_stop_line':
      return words.stopped
    default:
      return words.other
  }
}

/** How the day ends, in a line: a link to it on small screens. */
export function DayTally({ figures, href }: { readonly figures: DraftFigures; readonly href: string }) {
  const words = useWords()
  const { passes, asks, refused } = useMemo(() => tallyOf(dayOf(figures)), [figures])
  return (
    <a href={href} className={styles['tally']} aria-label={words.tally(passes, asks, refused)}>
      <span className={styles['passes']}>{words.passes(passes)}</span>
      <span className={styles['asks']}>{words.asks(asks)}</span>
      <span className={styles['refused']}>{words.refused(refused)}</span>
    </a>
  )
}
