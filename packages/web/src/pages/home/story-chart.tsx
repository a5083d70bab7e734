import { shownAmount } from '../../lib/money.ts'
import type { Story } from '../../lib/story.ts'
import type { Words } from './words.ts'
import styles from './home.module.css'

const WIDTH = 600
const HEIGHT = 170

interface StoryChartProps {
  readonly story: Story
  readonly minute: number
  readonly words: Words
}

/** The worth up to a minute, in steps, above the stop line; what lies below the line is hatched. */
export function StoryChart({ story, minute, words: { day } }: StoryChartProps) {
  const { worths, limits } = story
  const top = Math.max(...worths) * 1.01
  const bottom = Math.min(...worths) * 0.97
  const x = (at: number) => (at / (worths.length - 1)) * WIDTH
  const y = (units: number) => HEIGHT - ((units - bottom) / (top - bottom)) * HEIGHT
  const seen = worths.slice(0, minute + 1)
  const line = seen.map(
    (units, at) =>
      `${at === 0 ? 'M' : `H${x(at).toFixed(1)}V`}${at === 0 ? `0 ${y(units).toFixed(1)}` : y(units).toFixed(1)}`,
  )
  const stop = y(limits.stop_line)
  const now = seen.at(-1) ?? story.paid_in
  const show = (units: number) => shownAmount(BigInt(units))
  return (
    <div className={styles['chart']} role="img" aria-label={day.chart(show(now), show(limits.stop_line))}>
      <div className={styles['below']} style={{ top: `${(stop / HEIGHT) * 100}%` }} />
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path
          d={line.join('')}
          fill="none"
          stroke={now <= limits.stop_line ? 'var(--out-fill)' : 'var(--inside)'}
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <span className={styles['worth']}>
        {day.worth} <strong>{show(now)}</strong> USDC
      </span>
      <span className={styles['line']} style={{ top: `${(stop / HEIGHT) * 100}%` }}>
        {day.stopLine} {show(limits.stop_line)}
      </span>
    </div>
  )
}
