import { useEffect, useState } from 'react'
import { useShared } from '../../i18n/index.tsx'
import { Button } from '../button/button.tsx'
import { useNow } from '../time/time.tsx'
import styles from './pair-code.module.css'

interface PairCodeProps {
  /** `XXXX-XXXX`. */
  readonly code: string
  readonly expiresAt: string
  readonly words: { readonly code: string; readonly left: string }
  readonly onEnd: () => void
}

/** A pair code, large enough to read aloud, with the time that is left. */
export function PairCode({ code, expiresAt, words, onEnd }: PairCodeProps) {
  const shared = useShared()
  const now = useNow()
  const [copied, setCopied] = useState(false)
  const left = Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / 1000))
  const isOver = left === 0
  useEffect(() => {
    if (isOver) onEnd()
  }, [isOver, onEnd])
  const copy = () =>
    void navigator.clipboard.writeText(code).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <div className={styles['box']}>
      <p className={styles['code']} aria-label={`${words.code} ${[...code].join(' ')}`} role="img">
        {code}
      </p>
      <p className={styles['left']}>
        <span className={styles['clock']}>
          {Math.floor(left / 60)}:{String(left % 60).padStart(2, '0')}
        </span>{' '}
        {words.left}
      </p>
      <Button size="s" onClick={copy} onBlur={() => setCopied(false)}>
        {copied ? shared.copied : shared.copy}
      </Button>
    </div>
  )
}
