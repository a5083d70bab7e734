import { useState } from 'react'
import { useShared } from '../../i18n/index.tsx'
import { Button } from '../button/button.tsx'
import styles from './code.module.css'

/** A command to copy into a shell. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  const words = useShared()
  const [copied, setCopied] = useState(false)
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <div className={styles['box']}>
      <pre className={styles['code']} role="region" tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
      <Button size="s" onClick={copy} onBlur={() => setCopied(false)}>
        {copied ? words.copied : words.copy}
      </Button>
    </div>
  )
}
