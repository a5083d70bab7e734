import { defineWords } from '../../i18n/index.tsx'
import { shownAmount, shownPercent } from '../../lib/money.ts'
import { EnforcerTag, Tag, type Enforcer } from '../tag/tag.tsx'
import { ClauseText } from './clause-text.tsx'
import type { MarginFigures } from './margin-figures.ts'
import { en, type Words } from './words.ts'
import styles from './clauses.module.css'

const useWords = defineWords(en, () => import('./words.ko.ts'))

/** What the service says of a clause beside its text: who enforces it, and whether it is in force. */
export interface ClauseStanding {
  readonly n: number
  readonly enforced_by: Enforcer
  /** Whose reports the enforcer acts on. */
  readonly relies_on: Enforcer | null
  readonly leg_enforced_by: Enforcer | null
  readonly state: 'in_force' | 'stored_pending'
  readonly state_reason: string | null
}

interface ClausesProps {
  readonly clauses: readonly { readonly number: number; readonly text: string }[]
  readonly figures: MarginFigures
  readonly standing: readonly ClauseStanding[]
}

/** The eight clauses as they are signed, in serif, with the figure and the enforcer of each in the margin. */
export function Clauses({ clauses, figures, standing }: ClausesProps) {
  const words = useWords()
  return (
    <ol aria-label={words.list}>
      {clauses.map(({ number, text }) => {
        const stands = standing.find(({ n }) => n === number)
        const isPending = stands?.state === 'stored_pending'
        return (
          <li key={number} className={isPending ? `${styles['clause']} ${styles['pending']}` : styles['clause']}>
            <span className={styles['number']} aria-label={words.title(number)}>
              {number}
            </span>
            <div className={styles['margin']}>
              <Margin number={number} figures={figures} />
              {stands !== undefined && <Enforcers standing={stands} />}
            </div>
            <div>
              {/* The signed words are English in every language. */}
              <p lang="en" className={styles['text']}>
                <ClauseText text={text} />
              </p>
              <ReadingOf number={number} figures={figures} />
              {isPending && (
                <p className={styles['reason']}>
                  <Tag kind="waiting">{words.pending}</Tag> <bdi>{stands.state_reason}</bdi>
                </p>
              )}
            </div>
          </li>
        )
      })}
    </ol>
  )
}

/** The clause in the language of the reader, beside the signed words. */
function ReadingOf({ number, figures }: { readonly number: number; readonly figures: MarginFigures }) {
  const words = useWords()
  if (words.reading === null) return null
  return (
    <p className={styles['reading']}>
      {words.reading(number, figures, shownAmount)} <Tag>{words.notSigned}</Tag>
    </p>
  )
}

function Enforcers({ standing }: { readonly standing: ClauseStanding }) {
  const words = useWords()
  const by = [standing.enforced_by, standing.relies_on].flatMap((one) => one ?? [])
  return (
    <span className={styles['enforcers']}>
      {by.map((one) => (
        <EnforcerTag key={one} by={one} />
      ))}
      {standing.leg_enforced_by !== null && (
        <span className={styles['leg']}>
          {words.legToo} <EnforcerTag by={standing.leg_enforced_by} />
        </span>
      )}
    </span>
  )
}

function Margin({ number, figures }: { readonly number: number; readonly figures: MarginFigures }) {
  const words = useWords()
  const text = marginOf(number, figures, words)
  return <span className={styles['figure']}>{text}</span>
}

function marginOf(
  number: number,
  { budget, perTxCap, dailyCap, approvalAbove, stopLine, endsAt, feeBps, markets }: MarginFigures,
  { margin }: Words,
): string {
  switch (number) {
    case 1:
      return `${shownAmount(budget)} USDC`
    case 2:
      return `${shownAmount(perTxCap)} ${margin.perTrade}`
    case 3:
      return `${shownAmount(dailyCap)} ${margin.perDay}`
    case 4:
      return markets.length === 0 ? margin.noContract : markets.join(', ')
    case 5:
      return new Date(Number(endsAt) * 1000).toISOString().slice(0, 10)
    case 6:
      return approvalAbove === null
        ? margin.asksNever
        : approvalAbove === 0n
          ? margin.asksAll
          : margin.asksAbove(shownAmount(approvalAbove))
    case 7:
      return stopLine === 0n ? margin.noStop : margin.stopsAt(shownAmount(stopLine))
    default:
      return feeBps === 0n ? margin.noFee : margin.profit(shownPercent(feeBps))
  }
}
