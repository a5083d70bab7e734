import { useEffect, useId, useRef, type ReactNode } from 'react'
import { useShared } from '../../i18n/index.tsx'
import styles from './dialog.module.css'

interface DialogProps {
  readonly title: ReactNode
  /** Called when the person leaves; not while `locked`. */
  readonly onClose: () => void
  readonly children: ReactNode
  readonly actions?: ReactNode
  /** Work is under way that must not be left by mistake. */
  readonly locked?: boolean
  readonly wide?: boolean
}

/** A dialog: mounted is open. The focus goes in, stays, and returns to what opened it. */
export function Dialog({ title, onClose, children, actions, locked = false, wide = false }: DialogProps) {
  const words = useShared()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    const shown = dialog.current
    shown?.showModal()
    return () => {
      shown?.close()
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={wide ? `${styles['dialog']} ${styles['wide']}` : styles['dialog']}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        if (!locked) onClose()
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget && !locked) onClose()
      }}
    >
      <div className={styles['body']}>
        <header className={styles['head']}>
          <h2 id={id}>{title}</h2>
          {!locked && (
            <button type="button" className={styles['close']} aria-label={words.close} onClick={onClose}>
              <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
                <path d="m3 3 10 10M13 3 3 13" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />
              </svg>
            </button>
          )}
        </header>
        {children}
        {actions !== undefined && <footer className={styles['actions']}>{actions}</footer>}
      </div>
    </dialog>
  )
}
