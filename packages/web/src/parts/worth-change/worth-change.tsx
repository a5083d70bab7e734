import { defineWords } from '../../i18n/index.tsx'
import { shownPercent, UNKNOWN } from '../../lib/money.ts'
import { placeOf, type Result, type Scale } from './interval.ts'
import styles from './worth-change.module.css'
import { en } from './words.ts'

const useWords = defineWords(en, () => import('./words.ko.ts'))

const percent = (share: number) => `${share * 100}%`

interface WorthChangeProps {
  readonly result: Result
  /** Scale that the whole list has in common. */
  readonly scale: Scale
  readonly large?: boolean
  /** Stands after the ends of the interval. */
  readonly beside?: string | null
}

/** A worth change with its 90 % interval, drawn on a scale with zero: what chance may have done is as wide as the bar. */
export function WorthChange({ result, scale, large = false, beside = null }: WorthChangeProps) {
  const words = useWords()
  const place = placeOf(result, scale)
  const { worth_change_bps: value, worth_change_low_bps: low, worth_change_high_bps: high } = result
  const look = large ? `${styles['change']} ${styles['large']}` : styles['change']
  if (place === null || value === null)
    return (
      <div className={look}>
        <span className={styles['value']}>
          <span aria-hidden="true">{UNKNOWN}</span>
          <span className="told">{words.unknown}</span>
        </span>
      </div>
    )
  const text = shownPercent(value, { change: true })
  const [lowText, highText] = [shownPercent(low, { change: true }), shownPercent(high, { change: true })]
  const told = place.span === null ? `${text}, ${words.noInterval}` : words.told(text, lowText, highText)
  return (
    <div className={look}>
      <span className={styles['value']}>{text}</span>
      <div className={styles['scale']} role="img" aria-label={told}>
        <span className={styles['zero']} style={{ left: percent(place.zero) }} />
        {place.span !== null && (
          <span
            className={styles['span']}
            style={{ left: percent(place.span.from), width: percent(place.span.to - place.span.from) }}
          />
        )}
        <span className={styles['at']} style={{ left: percent(place.at) }} />
        {place.cutLow && <span className={styles['cutLow']}>‹</span>}
        {place.cutHigh && <span className={styles['cutHigh']}>›</span>}
      </div>
      <span className={styles['ends']}>
        {place.span === null ? words.noInterval : words.between(lowText, highText)}{' '}
        {beside !== null && <span className={styles['beside']}>· {beside}</span>}
      </span>
    </div>
  )
}
