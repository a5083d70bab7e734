import { Link } from 'wouter'
import { useShared } from '../../i18n/index.tsx'
import { useSession } from '../../lib/reads.ts'
import { pages } from '../../routes.ts'
import { Button } from '../button/button.tsx'
import { shortened } from '../hash/hash.tsx'
import { askSignIn } from '../sign-in/ask-sign-in.ts'
import styles from './wallet-button.module.css'

/** The wallet that is signed in, or the way in. */
export function WalletButton() {
  const words = useShared()
  const wallet = useSession()?.wallet
  if (wallet === undefined)
    return (
      <Button size="s" onClick={() => void askSignIn()}>
        {words.top.signIn}
      </Button>
    )
  return (
    <Link href={pages.mandates} className={styles['wallet']}>
      {shortened(wallet)}
    </Link>
  )
}
