import { useId } from 'react'
import { Link } from 'wouter'
import { useShared } from '../../i18n/index.tsx'
import { useSession, useSessionPending } from '../../lib/reads.ts'
import { signOut } from '../../lib/session.ts'
import { pages } from '../../routes.ts'
import { Button } from '../button/button.tsx'
import { shortened } from '../hash/shortened.ts'
import { askSignIn } from '../sign-in/ask-sign-in.ts'
import styles from './wallet-button.module.css'

/** The wallet that is signed in with the way out, or the way in. */
export function WalletButton() {
  const words = useShared()
  const menu = useId()
  const wallet = useSession()?.wallet
  const pending = useSessionPending()
  if (wallet === undefined)
    return (
      <Button size="s" busy={pending} onClick={() => void askSignIn()}>
        {words.top.signIn}
      </Button>
    )
  return (
    <>
      <button type="button" className={styles['wallet']} popoverTarget={menu}>
        {shortened(wallet)}
      </button>
      <div id={menu} popover="auto" className={styles['menu']}>
        <p className={styles['whole']}>{wallet}</p>
        {[
          { to: pages.mandates, text: words.nav.mandates },
          { to: pages.agent, text: words.nav.agent },
          { to: pages.deposit, text: words.nav.deposit },
        ].map(({ to, text }) => (
          <Link key={to} href={to} className={styles['item']}>
            {text}
          </Link>
        ))}
        <button type="button" className={styles['item']} onClick={() => void signOut()}>
          {words.top.signOut}
        </button>
      </div>
    </>
  )
}
