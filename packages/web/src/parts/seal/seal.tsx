import { useEffect, useRef } from 'react'
import styles from './seal.module.css'

interface SealProps {
  /** Digest of the signed document; null while nothing is signed. */
  readonly digest: string | null
  /** Stands in the empty place. */
  readonly empty: string
  /** What the seal says to readers of the screen. */
  readonly told: (head: string, tail: string) => string
  /** Stamps it now: it comes down on the paper once. */
  readonly fresh?: boolean
}

/** The seal of a signed document, with the first and last six digits of its digest; a dashed place before. */
export function Seal({ digest, empty, told, fresh = false }: SealProps) {
  const place = useRef<HTMLDivElement>(null)
  // The person presses the button far below: the seal comes into sight as it comes down.
  useEffect(() => {
    if (fresh) place.current?.scrollIntoView({ block: 'center' })
  }, [fresh])
  if (digest === null) return <div className={styles['empty']}>{empty}</div>
  const [head, tail] = [digest.slice(2, 8), digest.slice(-6)]
  return (
    <div
      ref={place}
      className={fresh ? `${styles['seal']} ${styles['fresh']}` : styles['seal']}
      role="img"
      aria-label={told(head, tail)}
    >
      <svg viewBox="0 0 96 96" aria-hidden="true">
        <rect x="3" y="3" width="90" height="90" rx="9" fill="none" stroke="currentColor" strokeWidth="3" />
        <rect x="9" y="9" width="78" height="78" rx="5" fill="none" stroke="currentColor" strokeWidth="1" />
        <path d="M20 47.5h27v4H20z" fill="currentColor" />
        <path d="M50 36h5v27h-5z" fill="currentColor" />
        <path d="m77 40-16 16m16-6-11 11" stroke="currentColor" strokeWidth="2" />
        <text x="48" y="27" textAnchor="middle">
          {head}
        </text>
        <text x="48" y="80" textAnchor="middle">
          {tail}
        </text>
      </svg>
    </div>
  )
}
