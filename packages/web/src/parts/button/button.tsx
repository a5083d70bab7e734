import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link } from 'wouter'
import styles from './button.module.css'

/** `act` is the one thing to do here; `out` ends or refuses something; `plain` is everything else; `text` stands in a line. */
export type ButtonKind = 'act' | 'plain' | 'out' | 'text'

const classOf = (kind: ButtonKind, size: 's' | 'm' | 'l', wide: boolean) =>
  [styles['button'], styles[kind], styles[size], wide ? styles['wide'] : ''].join(' ')

interface Look {
  readonly kind?: ButtonKind
  readonly size?: 's' | 'm' | 'l'
  readonly wide?: boolean
}

type ButtonProps = Look &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & {
    /** Work is under way: the button stays focusable and does nothing. */
    readonly busy?: boolean
  }

/** A button says what happens. */
export function Button({ kind = 'plain', size = 'm', wide = false, busy = false, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classOf(kind, size, wide)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
    />
  )
}

/** A link to another page that looks like a button. */
export function ButtonLink({
  kind = 'plain',
  size = 'm',
  wide = false,
  to,
  children,
}: Look & { readonly to: string; readonly children: ReactNode }) {
  return (
    <Link href={to} className={classOf(kind, size, wide)}>
      {children}
    </Link>
  )
}
