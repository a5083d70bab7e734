import type { ReactNode } from 'react'
import styles from './empty.module.css'

/** Says what will stand here, and the one thing to do. */
export function Empty({ children, action }: { readonly children: ReactNode; readonly action?: ReactNode }) {
  return (
    <div className={styles['empty']}>
      <p>{children}</p>
      {action}
    </div>
  )
}
