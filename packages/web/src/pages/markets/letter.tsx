import { UNKNOWN } from '../../lib/money.ts'
import styles from './letter.module.css'

interface LetterProps {
  /** Null is unknown. */
  readonly letter: string | null
  readonly strong?: boolean
}

/** A letter of a grade in its own place, so that letters stand under one another. */
export function Letter({ letter, strong = false }: LetterProps) {
  const first = letter?.slice(0, 1) ?? 'none'
  return (
    <span className={`${styles['letter']} ${styles[first]} ${strong ? styles['strong'] : ''}`}>
      {letter ?? UNKNOWN}
    </span>
  )
}
