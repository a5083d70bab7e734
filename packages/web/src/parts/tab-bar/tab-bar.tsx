import { useState } from 'react'
import { Link } from 'wouter'
import { useShared } from '../../i18n/index.tsx'
import { pages } from '../../routes.ts'
import { Dialog } from '../dialog/dialog.tsx'
import { NavLink } from '../top/top.tsx'
import styles from './tab-bar.module.css'

/** The way around on a phone: five places under the thumb. */
export function TabBar() {
  const words = useShared()
  const [more, setMore] = useState(false)
  const tabs = [
    { href: pages.mandates, text: words.nav.mandates },
    { href: pages.start, text: words.nav.start },
    { href: pages.hall, text: words.nav.hall },
    { href: pages.markets, text: words.nav.markets },
  ]
  const others = [
    { href: pages.trade, text: words.nav.trade },
    { href: pages.agent, text: words.nav.agent },
    { href: pages.status, text: words.nav.status },
  ]
  return (
    <nav className={styles['bar']} aria-label={words.nav.label}>
      {tabs.map((tab) => (
        <NavLink key={tab.href} {...tab} className={styles['tab'] ?? ''} />
      ))}
      <button type="button" className={styles['tab']} aria-haspopup="dialog" onClick={() => setMore(true)}>
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
