import type { ReactNode } from 'react'
import styles from './start.module.css'

interface TaskProps {
  readonly at: number
  readonly title: string
  readonly hint?: ReactNode
  readonly state: 'now' | 'done' | 'later'
  readonly children?: ReactNode
}

/** One thing to do on the way to a funded vault: done, now or later. */
export function Task({ at, title, hint, state, children }: TaskProps) {
  return (
    <li className={`${styles['task']} ${styles[state]}`} aria-current={state === 'now' ? 'step' : undefined}>
      <span className={styles['taskNumber']} aria-hidden="true">
        {state === 'done' ? '✓' : at}
      </span>
      <div className={styles['taskBody']}>
        <h2 className={styles['taskTitle']}>{title}</h2>
        {hint !== undefined && <p className={styles['hint']}>{hint}</p>}
        {children}
      </div>
    </li>
  )
}
