import { useState, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { changeLang, useLang, useShared } from '../../i18n/index.tsx'
import { chooseTheme, shownTheme } from '../../lib/preferences.ts'
import { pages } from '../../routes.ts'
import { WalletButton } from '../wallet-button/wallet-button.tsx'
import styles from './top.module.css'

/** The bar above every page: where to go, the language, the theme and the wallet. */
export function Top() {
  const words = useShared()
  const links = [
    { href: pages.mandates, text: words.nav.mandates },
    { href: pages.agent, text: words.nav.agent },
    { href: pages.hall, text: words.nav.hall },
    { href: pages.markets, text: words.nav.markets },
    { href: pages.trade, text: words.nav.trade },
  ]
  return (
    <header className={styles['top']}>
      <div className={styles['inner']}>
        <Link href={pages.home} className={styles['brand']} aria-label={`${words.name}, ${words.nav.home}`}>
          <Mark />
          <span aria-hidden="true">{words.name}</span>
        </Link>
        <nav className={styles['links']} aria-label={words.nav.label}>
          {links.map((link) => (
            <NavLink key={link.href} {...link} className={styles['link'] ?? ''} />
          ))}
          {/* Documentation is plain HTML: the browser loads it whole. */}
          <a href="/ui/docs" className={styles['link']}>
            {words.nav.docs}
          </a>
        </nav>
        <div className={styles['tools']}>
          <LangSwitch />
          <ThemeSwitch />
          <WalletButton />
        </div>
      </div>
    </header>
  )
}

/** A link that says whether it leads to the shown page. */
export function NavLink({
  href,
  text,
  className,
  icon,
}: {
  readonly href: string
  readonly text: string
  readonly className: string
  readonly icon?: ReactNode
}) {
  const [location] = useLocation()
  const here = location === href || location.startsWith(`${href}/`)
  return (
    <Link href={href} className={className} aria-current={here ? 'page' : undefined}>
      {icon}
      {text}
    </Link>
  )
}

function LangSwitch() {
  const words = useShared()
  const other = useLang() === 'en' ? 'ko' : 'en'
  return (
    <button
      type="button"
      className={styles['tool']}
      aria-label={words.top.switchLanguage}
      onClick={() => void changeLang(other)}
    >
      {words.top.otherLanguage}
    </button>
  )
}

function ThemeSwitch() {
  const words = useShared()
  const [theme, setTheme] = useState(shownTheme)
  const other = theme === 'light' ? 'dark' : 'light'
  const turn = () => {
    chooseTheme(other)
    setTheme(other)
  }
  return (
    <button
      type="button"
      className={styles['tool']}
      aria-label={other === 'dark' ? words.top.toDark : words.top.toLight}
      onClick={turn}
    >
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <circle cx="10" cy="10" r="7.5" fill="none" stroke="currentColor" strokeWidth="2" />
        <path d="M10 2.5a7.5 7.5 0 0 1 0 15z" fill="currentColor" />
      </svg>
    </button>
  )
}

/** The sign of the product: a rail that ends at its post. */
function Mark() {
  return (
    <svg className={styles['mark']} viewBox="0 0 32 32" width="30" height="30" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--act)" />
      <path d="M6 14.5h11v3H6z" fill="var(--on-act)" />
      <path d="M18 7h3.4v18H18z" fill="var(--on-act)" />
      <path d="m26.5 11-3.5 3.5m3.5 1-4 4" stroke="var(--on-act)" strokeWidth="1.5" />
    </svg>
  )
}
