import { Link } from 'wouter'
import { useShared } from '../../i18n/index.tsx'
import { useSession } from '../../lib/reads.ts'
import { pages } from '../../routes.ts'
import { ButtonLink } from '../button/button.tsx'
import { shortened } from '../hash/hash.tsx'
import styles from './wallet-button.module.css'

/** The wallet that is signed in, or the way in. */
export function WalletButton() {
  const words = useShared()
  const wallet = useSession()?.wallet
  if (wallet === undefined)
    return (
      <ButtonLink size="s" to={pages.start}>
        {words.top.signIn}
      </ButtonLink>
    )
  return (
    <Link href={pages.mandates} className={styles['wallet']}>
      {shortened(wallet)}
    </Link>
  )
}
