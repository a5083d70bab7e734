import { useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useLang } from '../../i18n/index.tsx'
import { shownAmount } from '../../lib/money.ts'
import type { TradeMark } from '../../lib/trade-marks.ts'
import { chartOf, HEIGHT, HEIGHTS, type ChartInput } from './chart.ts'
import { MARK } from './place.ts'
import { Shape } from './shape.tsx'
import { useWidth } from './use-width.ts'
import type { PictureWords } from './words.ts'
import styles from './picture.module.css'

interface PlotProps extends Omit<ChartInput, 'width'> {
  /** What a mark is called, in full. */
  readonly nameOf: (mark: TradeMark) => string
  /** What the picture shows, for readers of the screen. */
  readonly told: string
  readonly words: PictureWords
}

const FIRST_WIDTH = 640
const DAY_MS = 86_400_000
/** Shorter spans have several ticks of one minute. */
const FEW_MINUTES_MS = 900_000
const BAR = 6

/** The price over time with its marks, and below it the amount of each attempt against the limits. */
export function Plot({ nameOf, told, words, points, marks, until, cap, asksAbove }: PlotProps) {
  const [width, ref] = useWidth(FIRST_WIDTH)
  const [active, setActive] = useState<TradeMark | null>(null)
  const lang = useLang()
  const chart = useMemo(
    () => chartOf({ points, marks, until, cap, asksAbove, width }),
    [points, marks, until, cap, asksAbove, width],
  )
  const span = until - Math.min(until, ...points.map(({ at }) => at), ...marks.map(({ at }) => at))
  const clock = new Intl.DateTimeFormat(lang, span < FEW_MINUTES_MS ? SECONDS : span < DAY_MS ? CLOCK : DAY)
  const unplaced = marks.length - chart.placed.length
  return (
    <>
      <div ref={ref} className={styles['plot']}>
        {chart.capY !== null && (
          <div
            className={styles['beyond']}
            style={{ top: HEIGHTS.prices + HEIGHTS.gap, height: chart.capY - HEIGHTS.prices - HEIGHTS.gap }}
          />
        )}
        {chart.capY !== null && cap !== null && (
          <span className={`${styles['label']} ${styles['capLabel']}`} style={{ top: chart.capY }}>
            {words.cap(shownAmount(cap))}
          </span>
        )}
        {chart.asksY !== null && asksAbove !== null && (
          <span className={`${styles['label']} ${styles['asksLabel']}`} style={{ top: chart.asksY }}>
            {words.asks(shownAmount(asksAbove))}
          </span>
        )}
        <svg viewBox={`0 0 ${width} ${HEIGHT}`} height={HEIGHT} role="img" aria-label={told}>
          {chart.prices.map(({ at, label }) => (
            <g key={label}>
              <line className={styles['grid']} x1="0" x2={width} y1={at} y2={at} />
              <text className={styles['text']} x="2" y={at - 4}>
                {label}
              </text>
            </g>
          ))}
          {chart.line === '' && (
            <line className={styles['timeLine']} x1="0" x2={width} y1={HEIGHTS.prices / 2} y2={HEIGHTS.prices / 2} />
          )}
          <path className={styles['line']} d={chart.line} />
          {chart.placed.map(({ mark, point, centre }) => (
            <line key={mark.seq} className={styles['stem']} x1={point.x} x2={centre.x} y1={point.y} y2={centre.y} />
          ))}
          {chart.bars.map(({ mark, x, y, height }) => (
            <rect
              key={mark.seq}
              className={`${styles['bar']} ${styles[mark.kind]} ${active === mark ? styles['active'] : ''}`}
              x={x - BAR / 2}
              y={y}
              width={BAR}
              height={height}
            />
          ))}
          {chart.asksY !== null && (
            <line className={styles['asks']} x1="0" x2={width} y1={chart.asksY} y2={chart.asksY} />
          )}
          {chart.capY !== null && <line className={styles['cap']} x1="0" x2={width} y1={chart.capY} y2={chart.capY} />}
          <text className={styles['text']} x="0" y={HEIGHTS.prices + HEIGHTS.gap - 8}>
            {words.amounts}
          </text>
          <line className={styles['base']} x1="0" x2={width} y1={chart.base} y2={chart.base} />
          {chart.times.map(({ at, value }) => (
            <text key={value.getTime()} className={`${styles['text']} ${styles['time']}`} x={at} y={HEIGHT - 6}>
              {clock.format(value)}
            </text>
          ))}
        </svg>
        <Marks placed={chart.placed} nameOf={nameOf} words={words} onActive={setActive} />
      </div>
      <p className={styles['caption']} aria-hidden="true">
        {active === null ? words.hint : nameOf(active)}
      </p>
      {unplaced > 0 && <p className={styles['fine']}>{words.unplaced(unplaced)}</p>}
    </>
  )
}

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const SECONDS = { ...CLOCK, second: '2-digit' } as const
const DAY = { month: 'short', day: 'numeric' } as const

interface MarksProps extends Pick<PlotProps, 'nameOf' | 'words'> {
  readonly placed: ReturnType<typeof chartOf>['placed']
  readonly onActive: (mark: TradeMark | null) => void
}

/** The marks as links to their entries. They are one stop of the Tab key; arrows move between them in time order. */
function Marks({ placed, nameOf, words, onActive }: MarksProps) {
  const [current, setCurrent] = useState(0)
  const list = useRef<HTMLOListElement>(null)
  const stop = Math.min(current, placed.length - 1)
  const move = (event: KeyboardEvent) => {
    const to = moved(event.key, stop, placed.length)
    if (to === null) return
    event.preventDefault()
    setCurrent(to)
    list.current?.querySelectorAll('a')[to]?.focus()
  }
  return (
    <ol ref={list} aria-label={`${words.marks}. ${words.keys}`} onKeyDown={move}>
      {placed.map(({ mark, centre }, index) => (
        <li key={mark.seq}>
          <a
            href={`#entry-${mark.seq}`}
            tabIndex={index === stop ? 0 : -1}
            aria-label={nameOf(mark)}
            className={styles['mark']}
            style={{ left: centre.x - MARK / 2, top: centre.y - MARK / 2 }}
            onFocus={() => {
              setCurrent(index)
              onActive(mark)
            }}
            onBlur={() => onActive(null)}
            onPointerEnter={() => onActive(mark)}
            onPointerLeave={() => onActive(null)}
          >
            <Shape kind={mark.kind} />
          </a>
        </li>
      ))}
    </ol>
  )
}

/** Returns where a key leads among `count` marks; null for a key that leads nowhere. */
function moved(key: string, from: number, count: number): number | null {
  const to = {
    ArrowLeft: from - 1,
    ArrowUp: from - 1,
    ArrowRight: from + 1,
    ArrowDown: from + 1,
    Home: 0,
    End: count - 1,
  }[key]
  return to === undefined ? null : Math.min(Math.max(to, 0), count - 1)
}
