import { Link } from 'wouter'
import { useShared } from '../../i18n/index.tsx'
import { pages } from '../../routes.ts'
import styles from './foot.module.css'

/** The end of every page: who holds what, and where the proof is. */
export function Foot() {
  const words = useShared()
  return (
    <footer className={styles['foot']}>
      <div className={styles['inner']}>
        <p>{words.foot.promise}</p>
        <nav className={styles['links']} aria-label={words.nav.docs}>
          <a href="/ui/docs/method">{words.foot.method}</a>
          <a href="/ui/docs">{words.foot.api}</a>
          <Link href={pages.deposit}>{words.nav.deposit}</Link>
          <Link href={pages.status}>{words.foot.status}</Link>
          <a href="/ui/llms.txt">{words.foot.llms}</a>
        </nav>
      </div>
    </footer>
  )
}
