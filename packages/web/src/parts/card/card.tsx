import { useId, type ReactNode } from 'react'
import styles from './card.module.css'

interface CardProps {
  readonly title?: ReactNode
  /** Stands opposite the title. */
  readonly aside?: ReactNode
  readonly children: ReactNode
  /** `held` waits for the reader; `sunk` steps back; `bare` has no inner space, for tables. */
  readonly kind?: 'sheet' | 'held' | 'sunk' | 'out'
  readonly bare?: boolean
}

/** A sheet with one subject. */
export function Card({ title, aside, children, kind = 'sheet', bare = false }: CardProps) {
  const id = useId()
  return (
    <section
      className={[styles['card'], styles[kind], bare ? styles['bare'] : ''].join(' ')}
      aria-labelledby={title === undefined ? undefined : id}
    >
      {(title !== undefined || aside !== undefined) && (
        <header className={styles['head']}>
          <h2 id={id}>{title}</h2>
          {aside !== undefined && <div className={styles['aside']}>{aside}</div>}
        </header>
      )}
      {children}
    </section>
  )
}
