import { useShared, defineWords } from '../../i18n/index.tsx'
import { UNKNOWN } from '../../lib/money.ts'
import { daysOf, heightOf, lastDayOf, lastIndexOf, stepsOf, type Range, type Series } from './life.ts'
import styles from './small-chart.module.css'
import { en } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

const WIDTH = 300
const HEIGHT = 90

interface SmallChartProps {
  readonly series: Series
  /** Range that all charts beside one another have in common. */
  readonly range: Range
  /** Index at which the stop line stands; null without one. */
  readonly stopLine?: number | null
}

/** A daily index as steps, with its begin at 100 and, hatched, what lies under the stop line. */
export function SmallChart({ series, range, stopLine = null }: SmallChartProps) {
  const words = useWords()
  const shared = useShared()
  const known = series.values.filter((value) => value !== null)
  const line = stopLine !== null && stopLine >= range.low && stopLine <= range.high ? heightOf(stopLine, range) : null
  const last = lastIndexOf(series)
  return (
    <figure className={styles['chart']}>
      <div className={styles['frame']}>
        {line !== null && (
          <span className={styles['under']} style={{ top: `${line * 100}%` }}>
            <span className={line > 0.7 ? styles['above'] : styles['below']}>{words.line(String(stopLine))}</span>
          </span>
        )}
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={words.told(
            series.from,
            lastDayOf(series),
            last === null ? UNKNOWN : String(last),
            known.length === 0 ? UNKNOWN : String(Math.min(...known)),
            known.length === 0 ? UNKNOWN : String(Math.max(...known)),
          )}
        >
          <line
            className={styles['base']}
            x1="0"
            x2={WIDTH}
            y1={heightOf(100, range) * HEIGHT}
            y2={heightOf(100, range) * HEIGHT}
          />
          <path className={styles['steps']} d={stepsOf(series, range, WIDTH, HEIGHT)} />
        </svg>
      </div>
      <figcaption className={styles['ends']}>
        <span>{series.from}</span>
        <span>
          {lastDayOf(series)} <b>{last ?? UNKNOWN}</b>
        </span>
      </figcaption>
      <details className={styles['table']}>
        <summary>{shared.asTable}</summary>
        <div className={styles['scroll']} tabIndex={0} role="region" aria-label={shared.asTable}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.day}</th>
                <th scope="col">{words.index}</th>
              </tr>
            </thead>
            <tbody>
              {daysOf(series).map(({ day, value }) => (
                <tr key={day}>
                  <td>{day}</td>
                  <td>{value ?? UNKNOWN}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}
