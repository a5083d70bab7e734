import { useEffect, useRef, type ReactNode } from 'react'
import styles from './page.module.css'

let visits = 0
/** Where the person went back or forward to last: there the browser restores the place in the page. */
let poppedTo: string | null = null
addEventListener('popstate', () => (poppedTo = location.href))

interface PageProps {
  readonly title: string
  /** What stands beside the heading: the state of what the page shows. */
  readonly mark?: ReactNode
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
  /** False: the page draws its own heading inside `children`, by `PageHeading`. */
  readonly heading?: boolean
}

/** The frame of a page: its width, its title in the tab, and its heading, which gets the focus after a change of pages. */
export function Page({ title, mark, lead, actions, children, heading = true }: PageProps) {
  useEffect(() => {
    document.title = title === '' ? 'hub' : `${title} · hub`
  }, [title])
  return (
    <div className={styles['page']}>
      {heading && (
        <header className={styles['head']}>
          <div className={styles['titles']}>
            <div className={styles['line']}>
              <PageHeading>{title}</PageHeading>
              {mark}
            </div>
            {lead !== undefined && <div className={styles['lead']}>{lead}</div>}
          </div>
          {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
        </header>
      )}
      {children}
    </div>
  )
}

interface PageHeadingProps {
  readonly children: ReactNode
  readonly className?: string
  /** Comes into view also when the person goes back or forward: a step, not a page. */
  readonly always?: boolean
}

/** The heading of a page: it gets the focus after a change of pages, and comes into view. */
export function PageHeading({ children, className, always = false }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    visits += 1
    // At the first page the browser itself begins at the top.
    if (visits > 1) {
      heading.current?.focus({ preventScroll: true })
      if (always || poppedTo !== location.href) heading.current?.scrollIntoView({ block: 'nearest' })
    }
    poppedTo = null
  }, [always])
  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {children}
    </h1>
  )
}

/** Two columns: what matters most, and what stands beside it. One under the other on small screens. */
export function Columns({ children, aside }: { readonly children: ReactNode; readonly aside: ReactNode }) {
  return (
    <div className={styles['columns']}>
      <div className={styles['stack']}>{children}</div>
      <div className={styles['stack']}>{aside}</div>
    </div>
  )
}

/** Parts under one another at the usual distance. */
export function Stack({ children }: { readonly children: ReactNode }) {
  return <div className={styles['stack']}>{children}</div>
}
