import { useState } from 'react'
import { useShared } from '../../i18n/index.tsx'
import styles from './hash.module.css'

interface HashProps {
  /** An address, a digest or a transaction, whole. */
  readonly value: string
  /** Shows all of it. */
  readonly whole?: boolean
  /** Where a stranger can look it up. */
  readonly href?: string | null
}

/** Digits at each end of a shortened value. */
const HEAD = 6
const TAIL = 4

/** Returns a long value with its middle left out. */
export const shortened = (value: string): string =>
  value.length <= HEAD + TAIL + 2 ? value : `${value.slice(0, HEAD)}…${value.slice(-TAIL)}`

/** Something that machines check, in mono; a click copies all of it. */
export function Hash({ value, whole = false, href }: HashProps) {
  const words = useShared()
  const [copied, setCopied] = useState(false)
  const text = whole ? value : shortened(value)
  const copy = () =>
    void navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  if (href !== undefined && href !== null)
    return (
      <a className={styles['hash']} href={href} title={value} rel="noreferrer">
        {text}
      </a>
    )
  return (
    <button
      type="button"
      className={styles['hash']}
      title={value}
      // The name contains the visible text, so that it can be spoken to.
      aria-label={`${text}, ${copied ? words.copied : words.copy}`}
      onClick={copy}
      onBlur={() => setCopied(false)}
    >
      {text}
      <span className={styles['mark']} aria-hidden="true">
        {copied ? '✓' : ''}
      </span>
    </button>
  )
}
