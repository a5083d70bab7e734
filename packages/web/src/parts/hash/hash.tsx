import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { useShared } from '../../i18n/index.tsx'
import { isAddress, nameOf, watchNames } from '../../lib/address-names.ts'
import { useConfig } from '../../lib/config.ts'
import { shortened } from './shortened.ts'
import styles from './hash.module.css'

export { shortened } from './shortened.ts'

const YourName = lazy(() => import('./name-button.tsx').then((part) => ({ default: part.YourName })))
const NameButton = lazy(() => import('./name-button.tsx').then((part) => ({ default: part.NameButton })))

interface HashProps {
  /** An address, a digest or a transaction, whole. */
  readonly value: string
  /** Shows all of it. */
  readonly whole?: boolean
  /** Somebody signs it: all of it is shown beside a name that the reader gave. */
  readonly signed?: boolean
  /** Where a stranger can look it up. */
  readonly href?: string | null
}

/** Something that machines check, in mono; a click copies all of it. An address has the name that the reader gave it beside it. */
export function Hash(props: HashProps) {
  return isAddress(props.value) ? <Named {...props} /> : <Digits {...props} />
}

/** The address stays whole beside its name: a name is never what is signed. */
function Named(props: HashProps) {
  const chainId = useConfig().data?.chain?.id ?? null
  const { value, whole = false, signed = false } = props
  const name = useSyncExternalStore(watchNames, () => (chainId === null ? null : nameOf(chainId, value)))
  return (
    <span>
      {name !== null && (
        <Suspense fallback={null}>
          <YourName name={name} />{' '}
        </Suspense>
      )}
      <Digits {...props} whole={whole || (signed && name !== null)} />
      <span className={styles['naming']}>
        {chainId !== null && (
          <Suspense fallback={null}>
            <NameButton chainId={chainId} address={value} name={name} />
          </Suspense>
        )}
      </span>
    </span>
  )
}

function Digits({ value, whole = false, href }: Omit<HashProps, 'signed'>) {
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
