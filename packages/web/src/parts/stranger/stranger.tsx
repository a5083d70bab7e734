import styles from './stranger.module.css'

interface StrangerProps {
  /** A text that somebody else wrote. */
  readonly text: string
  /** Lines that are shown; the whole text is one press away. */
  readonly lines?: 1 | 2 | 3
}

/** Longest text that fits a line wherever it stands. */
const SHORT = 48

/** A text of a stranger: no markup, its direction isolated, its length cut by style with the whole text reachable. */
export function Stranger({ text, lines = 1 }: StrangerProps) {
  if (text.length <= SHORT) return <bdi className={styles['whole']}>{text}</bdi>
  return (
    <details className={styles['stranger']}>
      <summary>
        <bdi className={styles['cut']} style={{ WebkitLineClamp: lines }}>
          {text}
        </bdi>
      </summary>
    </details>
  )
}
