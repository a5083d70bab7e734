import type { ReactNode } from 'react'
import styles from './note.module.css'

interface NoteProps {
  /** `calm` is neither good nor bad, such as "You declined". `held` needs attention, `out` is a refusal. */
  readonly kind?: 'calm' | 'note' | 'held' | 'out' | 'inside'
  readonly title?: ReactNode
  readonly children?: ReactNode
  /** Stands at the end: what can be done. */
  readonly action?: ReactNode
  /** Readers of the screen hear it at once. */
  readonly urgent?: boolean
}

/** A sentence about what happened and what to do. */
export function Note({ kind = 'note', title, children, action, urgent = false }: NoteProps) {
  return (
    <div className={`${styles['note']} ${styles[kind]}`} role={urgent ? 'alert' : 'status'}>
      <div className={styles['text']}>
        {title !== undefined && <p className={styles['title']}>{title}</p>}
        {children !== undefined && <div>{children}</div>}
      </div>
      {action !== undefined && <div className={styles['action']}>{action}</div>}
    </div>
  )
}
