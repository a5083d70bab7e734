import { exactAmount, shownAmount, UNKNOWN } from '../../lib/money.ts'
import styles from './amount.module.css'

interface AmountProps {
  /** Base units; null is unknown and is shown as a dash, never as zero. */
  readonly units: bigint | null
  /** Shows the sign of a change, and its colour. */
  readonly change?: boolean
  /** Names the currency after the figure; once in a block. */
  readonly unit?: string
}

/** An amount to read: two decimals, cut and never rounded. The exact figure is its title and what is copied. */
export function Amount({ units, change = false, unit }: AmountProps) {
  if (units === null) return <span className={styles['unknown']}>{UNKNOWN}</span>
  const tone = !change || units === 0n ? '' : units > 0n ? styles['gain'] : styles['loss']
  return (
    <span className={`${styles['amount']} ${tone}`} title={exactAmount(units)}>
      {shownAmount(units, { change })}
      {unit !== undefined && <span className={styles['unit']}> {unit}</span>}
    </span>
  )
}
