import { useId } from 'react'
import { useShared } from '../../i18n/index.tsx'
import { UNKNOWN } from '../../lib/money.ts'
import styles from './unknown.module.css'

/** A figure that nobody knows now, with the reason that the service gives. */
export function Unknown({ reason }: { readonly reason?: string | null }) {
  const words = useShared()
  const id = useId()
  if (reason === undefined || reason === null || reason === '')
    return (
      <span>
        <span aria-hidden="true">{UNKNOWN}</span>
        <span className="told">{words.unknown}</span>
      </span>
    )
  return (
    <>
      <button type="button" className={styles['unknown']} popoverTarget={id} aria-label={`${UNKNOWN} ${words.why}`}>
        {UNKNOWN}
      </button>
      <span id={id} popover="auto" className={styles['reason']}>
        <bdi>{reason}</bdi>
      </span>
    </>
  )
}
