import { defineWords } from '../../i18n/index.tsx'
import { shownPercent } from '../../lib/money.ts'
import { Card } from '../../parts/card/card.tsx'
import { Hash } from '../../parts/hash/hash.tsx'
import { Refusals } from '../../parts/refusals/refusals.tsx'
import { rangeOf, type Range } from '../../parts/small-chart/life.ts'
import { SmallChart } from '../../parts/small-chart/small-chart.tsx'
import { StatePill } from '../../parts/state-pill/state-pill.tsx'
import { Tag } from '../../parts/tag/tag.tsx'
import type { AgentAnswer } from './answers.ts'
import styles from './mandates.module.css'
import { en } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

type Mandate = AgentAnswer['mandates'][number]

/** A stop line farther away than this is no part of the picture: its owner took most of the money out. */
const LINE_MAX = 400

/** Every mandate of an agent: its life against its own stop line, on one scale. */
export function Mandates({ answer }: { readonly answer: AgentAnswer }) {
  const words = useWords()
  const { mandates, mandate_counts: counts, mandates_left } = answer
  const lines = mandates.map(({ stop_line }) => (stop_line !== null && stop_line <= LINE_MAX ? stop_line : null))
  const range = rangeOf(
    mandates.map(({ series }) => series),
    lines,
  )
  const mostRefused = Math.max(...mandates.map(({ refusals }) => refusals.total))
  return (
    <Card
      title={words.mandates}
      aside={`${words.counts(String(counts.open), String(counts.closed), String(counts.stopped))} · ${words.kept(String(counts.kept_inside_limits))}`}
    >
      <p className={styles['lead']}>{words.mandatesLead}</p>
      <ul className={styles['grid']}>
        {mandates.map((mandate, at) => (
          <MandateLife
            key={mandate.mandate}
            mandate={mandate}
            range={range}
            stopLine={lines[at] ?? null}
            mostRefused={mostRefused}
          />
        ))}
      </ul>
      {mandates_left > 0 && <p className={styles['lead']}>{words.left(String(mandates_left))}</p>}
    </Card>
  )
}

interface MandateLifeProps {
  readonly mandate: Mandate
  readonly range: Range
  readonly stopLine: number | null
  readonly mostRefused: number
}

function MandateLife({ mandate, range, stopLine, mostRefused }: MandateLifeProps) {
  const words = useWords()
  const { clauses, record, proof, foreign_days, max_drawdown_bps } = mandate
  return (
    <li className={styles['life']}>
      <div className={styles['line']}>
        <span className={styles['name']}>{mandate.mandate}</span>
        <StatePill state={mandate.state} />
        {mandate.hl_leg && <Tag>{words.leg}</Tag>}
        <span className={styles['change']}>{shownPercent(mandate.worth_change_bps, { change: true })}</span>
      </div>
      {mandate.series === null ? (
        <p className={styles['noSeries']}>{words.notRated}</p>
      ) : (
        <SmallChart series={mandate.series} range={range} stopLine={stopLine} />
      )}
      <p className={styles['facts']}>
        <span>{words.days1(String(mandate.days_live))}</span>
        <span>{words.trades1(String(mandate.trades))}</span>
        {max_drawdown_bps !== null && <span>{words.drawdown1(shownPercent(max_drawdown_bps))}</span>}
        {foreign_days > 0 && <span>{words.foreign1(String(foreign_days))}</span>}
      </p>
      <p className={clauses.kept ? styles['kept'] : styles['broken']}>
        {clauses.kept ? words.allKept : words.broken(String(clauses.violations), String(clauses.days_outside))}
      </p>
      <Refusals refusals={mandate.refusals} most={mostRefused} named />
      <p className={styles['facts']}>
        <span>{words.head(String(record.seq))}</span>
        <Hash value={record.hash} />
      </p>
      {proof !== null && <Proof proof={proof} />}
    </li>
  )
}

function Proof({ proof }: { readonly proof: NonNullable<Mandate['proof']> }) {
  const words = useWords()
  const blocks = proof.points.reduce((sum, { blocks: found }) => sum + found.length, 0)
  return (
    <p className={styles['facts']}>
      <Tag kind="inside">{words.proof}</Tag>
      <Hash value={proof.vault} />
      <span>{words.blocks(String(blocks))}</span>
    </p>
  )
}
