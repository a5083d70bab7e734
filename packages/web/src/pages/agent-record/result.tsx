import type { ReactNode } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import { shownPercent, UNKNOWN } from '../../lib/money.ts'
import { Card } from '../../parts/card/card.tsx'
import { rangeOf } from '../../parts/small-chart/life.ts'
import { SmallChart } from '../../parts/small-chart/small-chart.tsx'
import { scaleOf } from '../../parts/worth-change/interval.ts'
import { WorthChange } from '../../parts/worth-change/worth-change.tsx'
import type { AgentAnswer } from './answers.ts'
import styles from './agent-record.module.css'
import { en } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

interface ResultProps {
  readonly answer: AgentAnswer
  /** Choice of the window. */
  readonly choice: ReactNode
}

/** The result of all mandates together, with what chance may have done, and the figures beside it. */
export function Result({ answer, choice }: ResultProps) {
  const words = useWords()
  const { series, adherence_pct, violations, foreign_days } = answer
  return (
    <Card title={words.result} aside={choice}>
      <div className={styles['result']}>
        <div className={styles['change']}>
          <WorthChange result={answer} scale={scaleOf([answer])} large />
          <p className={styles['small']}>{words.resultLead}</p>
        </div>
        <dl className={styles['figures']}>
          <Figure name={words.drawdown} value={shownPercent(answer.max_drawdown_bps)} />
          <Figure name={words.days} value={String(answer.days_live)} />
          <Figure name={words.trades} value={String(answer.trades)} />
          <Figure name={words.inside} value={adherence_pct === null ? UNKNOWN : `${adherence_pct}%`} />
          <Figure name={words.violations} value={String(violations)} bad={violations > 0} />
          {foreign_days > 0 && <Figure name={words.foreign} value={String(foreign_days)} />}
        </dl>
      </div>
      <h3 className={styles['chartTitle']}>{words.index}</h3>
      {series === null ? (
        <p className={styles['small']}>{words.noSeries}</p>
      ) : (
        <SmallChart series={series} range={rangeOf([series])} />
      )}
    </Card>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: string
  readonly bad?: boolean
}

function Figure({ name, value, bad = false }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={bad ? styles['bad'] : undefined}>{value}</dd>
    </div>
  )
}
