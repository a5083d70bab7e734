import { useState } from 'react'
import { Link } from 'wouter'
import { useShared } from '../../i18n/index.tsx'
import { pages } from '../../routes.ts'
import { Dialog } from '../dialog/dialog.tsx'
import { NavLink } from '../top/top.tsx'
import styles from './tab-bar.module.css'

/** A sign of two strokes above the name of a place. */
const Icon = ({ path }: { readonly path: string }) => (
  <svg className={styles['icon']} viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    <path d={path} />
  </svg>
)

/** The way around on a phone: five places under the thumb. */
export function TabBar() {
  const words = useShared()
  const [more, setMore] = useState(false)
  const tabs = [
    { href: pages.mandates, text: words.nav.mandates, icon: <Icon path="M4 6h12M4 10h12M4 14h7" /> },
    { href: pages.start, text: words.nav.start, icon: <Icon path="M10 4v12M4 10h12" /> },
    { href: pages.hall, text: words.nav.hall, icon: <Icon path="M5 16v-5M10 16V4m5 12V8" /> },
    { href: pages.markets, text: words.nav.markets, icon: <Icon path="m3 14 4-5 4 3 6-7" /> },
  ]
  const others = [
    { href: pages.trade, text: words.nav.trade },
    { href: pages.agent, text: words.nav.agent },
    { href: pages.deposit, text: words.nav.deposit },
    { href: pages.status, text: words.nav.status },
  ]
  return (
    <nav className={styles['bar']} aria-label={words.nav.label}>
      {tabs.map((tab) => (
        <NavLink key={tab.href} {...tab} className={styles['tab'] ?? ''} />
      ))}
      <button type="button" className={styles['tab']} aria-haspopup="dialog" onClick={() => setMore(true)}>
        <Icon path="M5 10h.01M10 10h.01M15 10h.01" />
        {words.more}
      </button>
      {more && (
        <Dialog title={words.more} onClose={() => setMore(false)}>
          <ul className={styles['more']}>
            {others.map(({ href, text }) => (
              <li key={href}>
                <Link href={href} onClick={() => setMore(false)}>
                  {text}
                </Link>
              </li>
            ))}
            <li>
              <a href="/ui/docs">{words.nav.docs}</a>
            </li>
          </ul>
        </Dialog>
      )}
    </nav>
  )
}
