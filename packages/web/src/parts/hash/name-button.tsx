import { useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { defineWords } from '../../i18n/index.tsx'
import { nameAddress, NAME_MAX } from '../../lib/address-names.ts'
import { Button } from '../button/button.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { Field } from '../field/field.tsx'
import { shortened } from './shortened.ts'
import { en } from './words.ts'
import styles from './hash.module.css'

const useWords = defineWords(en, () => import('./words.ko.ts'))

interface NameProps {
  readonly chainId: number
  readonly address: string
  /** The present name. */
  readonly name: string | null
}

/** The name of an address, marked as one that the reader gave it. */
export function YourName({ name }: { readonly name: string }) {
  const words = useWords()
  return (
    <>
      {words.yours} <bdi className={styles['name']}>{name}</bdi>
    </>
  )
}

/** Names an address in this browser, by a small dialog. */
export function NameButton(props: NameProps) {
  const words = useWords()
  const [open, setOpen] = useState(false)
  const { address, name } = props
  const told = (name === null ? words.give : words.change)(shortened(address))
  return (
    <>
      <button type="button" className={styles['pencil']} aria-label={told} title={told} onClick={() => setOpen(true)}>
        <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
          <path d="m3 13 .6-3L10.5 3 13 5.5 6 12.4zM9 4.5 11.5 7" fill="none" stroke="currentColor" strokeWidth="1.3" />
        </svg>
      </button>
      {open && createPortal(<NameDialog {...props} onClose={() => setOpen(false)} />, document.body)}
    </>
  )
}

function NameDialog({ chainId, address, name, onClose }: NameProps & { readonly onClose: () => void }) {
  const words = useWords()
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [text, setText] = useState(name ?? '')
  // The dialog is open by then.
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const keep = (value: string) => {
    nameAddress(chainId, address, value)
    onClose()
  }
  return (
    <Dialog
      title={words.title}
      onClose={onClose}
      actions={
        <>
          {name !== null && <Button onClick={() => keep('')}>{words.remove}</Button>}
          <Button kind="act" type="submit" form={id}>
            {words.keep}
          </Button>
        </>
      }
    >
      <form
        id={id}
        ref={form}
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          keep(text)
        }}
      >
        <p className={styles['whole']}>{address}</p>
        <Field
          label={words.label}
          hint={words.hint}
          value={text}
          onChange={setText}
          maxLength={NAME_MAX}
          autoComplete="off"
        />
      </form>
    </Dialog>
  )
}
