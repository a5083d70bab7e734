import type { MarkKind } from '../../lib/trade-marks.ts'
import styles from './picture.module.css'

/** The shape of a mark; each kind has one of its own, beside its colour. */
export function Shape({ kind }: { readonly kind: MarkKind }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={`${styles['shape']} ${styles[kind]}`}>
      {kind === 'buy' && <path className={styles['body']} d="M12 4 21 19H3Z" />}
      {kind === 'sell' && <path className={styles['body']} d="M12 20 3 5H21Z" />}
      {kind === 'refused' && (
        <>
          <rect className={styles['body']} x="4" y="4" width="16" height="16" rx="2" />
          <path className={styles['sign']} d="m8.5 8.5 7 7m0-7-7 7" />
        </>
      )}
      {kind === 'question' && (
        <>
          <circle className={styles['body']} cx="12" cy="12" r="9" />
          <path className={styles['sign']} d="M9.2 9.6c.2-3.6 5.8-3.4 5.6.1-.1 1.9-2.8 2-2.8 4.1M12 16.6v.6" />
        </>
      )}
    </svg>
  )
}
