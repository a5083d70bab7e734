import { Rail } from '../../parts/rail/rail.tsx'
import { fixedOf, shareOf } from './fixed.ts'
import type { Line } from './checklist.ts'
import { figureText } from './price-text.ts'
import styles from './trade.module.css'
import type { Tried } from './use-trial.ts'
import type { Words } from './words.ts'

interface ChecklistProps {
  readonly words: Words
  readonly lines: readonly Line[]
  readonly tried: Tried
  /** Whether the ticket has an amount to judge. */
  readonly hasAmount: boolean
}

const MARK = { pass: '✓', refuse: '✕', unknown: '?' } as const

/** A reason that applies to the order. */
type Asked = Line & { readonly verdict: keyof typeof MARK }
const isAsked = (line: Line): line is Asked => line.verdict !== 'unasked'

/** The reasons for which this order can be refused, each with its verdict before anything is sent. */
export function Checklist({ words, lines, tried, hasAmount }: ChecklistProps) {
  const text = words.checklist
  const isClear = tried.trial?.kind === 'passed'
  const unnamed = tried.problem !== null && lines.every(({ by, verdict }) => by === 'page' || verdict !== 'refuse')
  return (
    <section className={styles['checks']}>
      <h3>{text.title}</h3>
      <p className={styles['quiet']} role="status">
        {tried.busy ? text.reading : isClear ? text.allClear : ''}
      </p>
      <ul>
        {lines.filter(isAsked).map((line) => (
          <CheckLine key={line.code} line={line} words={words} hasAmount={hasAmount} />
        ))}
      </ul>
      {unnamed && tried.problem !== null && (
        <p className={styles['why']} role="status">
          {text.also} <bdi>{tried.problem.message}</bdi>
          {tried.problem.fix !== null && <bdi className={styles['fix']}>{tried.problem.fix}</bdi>}
        </p>
      )}
    </section>
  )
}

function CheckLine({ line, words, hasAmount }: Pick<ChecklistProps, 'words' | 'hasAmount'> & { readonly line: Asked }) {
  const text = words.checklist
  const { code, verdict, figures, by } = line
  const figure = (value: string) => figureText(value, { digits: 2 })
  return (
    <li className={styles[`check-${verdict}`]}>
      <span className={styles['mark']} aria-hidden="true">
        {MARK[verdict]}
      </span>
      <span>
        {text.codes[code]}{' '}
        {(verdict !== 'refuse' || figures !== null) && <span className="told">{text.verdicts[verdict]}</span>}
      </span>
      <span className={styles['quiet']}>
        {figures !== null
          ? text.of(figure(figures.attempted), figure(figures.limit))
          : verdict === 'refuse'
            ? text.verdicts.refuse
            : by === 'trial'
              ? text.byTrial
              : verdict === 'unknown'
                ? hasAmount
                  ? text.unknown
                  : text.needsAmount
                : ''}
      </span>
      {figures !== null && <FiguresRail line={line} told={text.codes[code]} />}
    </li>
  )
}

/** A figure may be none of USDC; then nothing is drawn. */
function FiguresRail({ line: { figures, verdict }, told }: { readonly line: Line; readonly told: string }) {
  if (figures === null || !/^[\d.]+$/.test(figures.attempted + figures.limit)) return null
  const share = shareOf(fixedOf(figures.attempted), fixedOf(figures.limit))
  return (
    <span className={styles['checkRail']}>
      <Rail thin use={0} attempt={share} over={verdict === 'refuse'} told={told} />
    </span>
  )
}
