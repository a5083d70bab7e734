import { useId, useMemo, useState, type PointerEvent } from 'react'
import { useLang } from '../../i18n/index.tsx'
import { now } from '../../lib/clock.ts'
import { shownAmount, unitsOrNull } from '../../lib/money.ts'
import { pointAt, stepChart } from '../../lib/step-chart.ts'
import type { WorthWords } from './words.ts'
import type { WorthMark } from './mark.ts'
import styles from './worth.module.css'

const WIDTH = 1_000
const HEIGHT = 260

interface StepPictureProps {
  readonly marks: readonly WorthMark[]
  readonly stopLine: bigint | null
  readonly paidIn: bigint | null
  /** The picture ends with the last mark, not now. */
  readonly over: boolean
  readonly words: WorthWords
  /** Tells of the mark under the pointer; null when it leaves. */
  readonly onUnder: (mark: WorthMark | null) => void
}

/** The worth over time as steps: hatching lies under the stop line, and an unknown worth is a gap. */
export function StepPicture({ marks, stopLine, paidIn, over, words, onUnder }: StepPictureProps) {
  const id = useId()
  const language = useLang()
  const [openedAt] = useState(now)
  const drawn = useMemo(() => {
    const points = marks.map(({ at, worth_usdc }) => ({ at: Date.parse(at), value: unitsOrNull(worth_usdc) }))
    const shown = [stopLine, paidIn].flatMap((value) => (value === null || value === 0n ? [] : [value]))
    // A worth holds until the next mark.
    const until = Math.max(points.at(-1)?.at ?? 0, over ? 0 : openedAt)
    return { points, chart: stepChart(points, { width: WIDTH, height: HEIGHT, shown, until }) }
  }, [marks, stopLine, paidIn, over, openedAt])
  const { points, chart } = drawn
  const show = (units: bigint | null) => shownAmount(units)
  const stopY = stopLine === null || stopLine === 0n ? null : chart.yOf(stopLine)
  const paidY = paidIn === null || paidIn === 0n ? null : chart.yOf(paidIn)
  const find = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const point = pointAt(chart, ((event.clientX - box.left) / box.width) * WIDTH)
    onUnder(point === null ? null : (marks[point.index] ?? null))
  }
  return (
    <figure className={styles['picture']}>
      <div className={styles['plot']}>
        {stopY !== null && <div className={styles['beyond']} style={{ top: `${(stopY / HEIGHT) * 100}%` }} />}
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={toldOf(
            points.map(({ value }) => value),
            words,
            show,
          )}
          onPointerMove={find}
          onPointerLeave={() => onUnder(null)}
        >
          <clipPath id={id}>
            <rect width={WIDTH} height={stopY ?? HEIGHT} />
          </clipPath>
          <path d={chart.area} className={styles['area']} clipPath={`url(#${id})`} />
          {stopY !== null && <line x1="0" x2={WIDTH} y1={stopY} y2={stopY} className={styles['stop']} />}
          {paidY !== null && <line x1="0" x2={WIDTH} y1={paidY} y2={paidY} className={styles['paid']} />}
          <path d={chart.line} className={styles['line']} />
        </svg>
        {stopY !== null && stopLine !== null && (
          <span
            className={`${styles['label']} ${styles[stopY > LOW * HEIGHT ? 'stopAbove' : 'stopLabel']}`}
            style={{ top: `${(stopY / HEIGHT) * 100}%` }}
          >
            {words.stop(show(stopLine))}
          </span>
        )}
        {paidY !== null && (
          <span className={`${styles['label']} ${styles['paidLabel']}`} style={{ top: `${(paidY / HEIGHT) * 100}%` }}>
            {words.paidIn(show(paidIn))}
          </span>
        )}
      </div>
      <figcaption className={styles['ends']}>
        <time dateTime={marks[0]?.at}>{endText(marks[0]?.at, marks, language)}</time>
        <time dateTime={marks.at(-1)?.at}>{endText(marks.at(-1)?.at, marks, language)}</time>
      </figcaption>
    </figure>
  )
}

/** Below this share of the picture a label has no room under its line. */
const LOW = 0.75
const DAY_MS = 86_400_000

/** Returns weekday and clock time of an end if all marks lie within a day, else its date. */
function endText(at: string | undefined, marks: readonly WorthMark[], language: string): string {
  if (at === undefined) return ''
  const span = Date.parse(marks.at(-1)?.at ?? at) - Date.parse(marks[0]?.at ?? at)
  const form =
    span < DAY_MS
      ? ({ weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const)
      : ({ month: 'short', day: 'numeric' } as const)
  return new Intl.DateTimeFormat(language, form).format(new Date(at))
}

function toldOf(values: readonly (bigint | null)[], words: WorthWords, show: (units: bigint) => string): string {
  const known = values.flatMap((value) => value ?? [])
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined) return words.chart
  const low = known.reduce((least, value) => (value < least ? value : least))
  const high = known.reduce((most, value) => (value > most ? value : most))
  return words.told(show(first), show(last), show(low), show(high))
}
