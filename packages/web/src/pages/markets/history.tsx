import { useState } from 'react'
import { defineWords, useLang } from '../../i18n/index.tsx'
import { shownDollars } from '../../lib/dollars.ts'
import { useRead } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { Card } from '../../parts/card/card.tsx'
import { CsvButton } from '../../parts/csv-button/csv-button.tsx'
import { Read } from '../../parts/read/read.tsx'
import { Seg } from '../../parts/seg/seg.tsx'
import { en } from './board-words.ts'
import { bounded, shownNumber, shownPrice } from './figures.ts'
import { historyLine, isBound, MEASURES, type Measure, type Step } from './history-lines.ts'
import styles from './history.module.css'

const useWords = defineWords(en, () => import('./board-words.ko.ts'))

const STEPS = ['5m', '1h', '1d'] as const
/** Points of the table below the chart. */
const TABLE_ROWS = 60
const [WIDTH, HEIGHT] = [600, 150]

/** The past of a pair on the board: one figure over time, with gaps where nothing was known. */
export function History({ tokenId }: { readonly tokenId: string }) {
  const words = useWords()
  const [step, setStep] = useState<Step>('5m')
  const [measure, setMeasure] = useState<Measure>('price')
  const read = useRead('GET /tokens/{token_id}/history', { token_id: tokenId, step }, { keepFormer: true })
  return (
    <Card
      title={words.history}
      aside={
        <CsvButton
          route="GET /tokens/{token_id}/history"
          sent={{ token_id: tokenId, step }}
          name={`${tokenId}-${step}`}
        />
      }
    >
      <div className={styles['choices']}>
        <Seg
          label={words.step}
          value={step}
          options={STEPS.map((value) => ({ value, label: words.steps[value] }))}
          onChange={setStep}
        />
        <Seg
          label={words.measure}
          value={measure}
          options={MEASURES.map((value) => ({ value, label: words.measures[value] }))}
          onChange={setMeasure}
        />
      </div>
      <Read of={read} bones={<Bones lines={[1]} rem={9} />}>
        {(answer) => <Chart answer={answer} measure={measure} />}
      </Read>
    </Card>
  )
}

interface ChartProps {
  readonly answer: Answer<'GET /tokens/{token_id}/history'>
  readonly measure: Measure
}

const time = (at: string) => `${at.slice(0, 10)} ${at.slice(11, 16)}`

function Chart({ answer, measure }: ChartProps) {
  const words = useWords()
  const lang = useLang()
  const { points, step } = answer
  const first = points[0]
  const last = points.at(-1)
  // The line begins with the first point that exists: an empty half would say nothing.
  const frame = { from: first?.at ?? answer.from, to: answer.to, step, width: WIDTH, height: HEIGHT }
  const line = historyLine(points, measure, frame)
  if (line === null || last === undefined) return <p className={styles['none']}>{words.noHistory}</p>
  const shown = (value: number | null) => {
    if (measure === 'depth_2pct_usd' || measure === 'volume_24h_usd') return shownDollars(value, lang)
    return measure === 'price' ? shownPrice(value) : shownNumber(value)
  }
  const low = bounded(shown(line.low), line.lowIsBound)
  const high = bounded(shown(line.high), line.highIsBound)
  const told = words.historyTold(words.measures[measure], time(frame.from), time(frame.to), low, high)
  const boundSaid = line.bounds === '' ? null : `≥ ${words.bound}`
  const rows = points.slice(-TABLE_ROWS).toReversed()
  return (
    <figure className={styles['chart']}>
      <div className={styles['frame']}>
        <span className={styles['high']}>{high}</span>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={boundSaid === null ? told : `${told}. ${boundSaid}`}
        >
          <path d={line.path} />
          <path d={line.bounds} className={styles['bounds']} />
        </svg>
        <span className={styles['low']}>{low}</span>
      </div>
      <figcaption className={styles['ends']}>
        <span>{time(frame.from)}</span>
        <b>{bounded(shown(last[measure]), isBound(last, measure))}</b>
        <span>{time(frame.to)} UTC</span>
      </figcaption>
      {boundSaid !== null && <p className={styles['none']}>{boundSaid}</p>}
      <details className={styles['table']}>
        <summary>{words.historyTable(String(rows.length))}</summary>
        <div className={styles['scroll']} role="region" aria-label={words.history} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.time}</th>
                {MEASURES.map((one) => (
                  <th key={one} scope="col">
                    {words.measures[one]}
                  </th>
                ))}
                <th scope="col">{words.lifecycle}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((point) => (
                <tr key={point.at}>
                  <th scope="row">{time(point.at)}</th>
                  <td>{bounded(shownNumber(point.gpa), point.gpa_is_lower_bound)}</td>
                  <td>{shownNumber(point.risk_score)}</td>
                  <td>{shownNumber(point.spread_bps)}</td>
                  <td>{bounded(shownDollars(point.depth_2pct_usd, lang), point.depth_is_lower_bound)}</td>
                  <td>{shownDollars(point.volume_24h_usd, lang)}</td>
                  <td>{shownPrice(point.price)}</td>
                  <td>{words.lifecycles[point.lifecycle]}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}
