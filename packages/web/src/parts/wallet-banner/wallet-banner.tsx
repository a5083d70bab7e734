import { useEffect, useSyncExternalStore } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import { useConfig } from '../../lib/config.ts'
import { Problem } from '../../lib/problem.ts'
import { useSession } from '../../lib/reads.ts'
import { sameAccount, WalletFault } from '../../lib/wallet.ts'
import { connection, signerOf } from '../../lib/wallets.ts'
import { Note } from '../note/note.tsx'
import { en, type Words } from './words.ts'
import styles from './wallet-banner.module.css'

const useWords = defineWords(en, () => import('./words.ko.ts'))

/** Stands on every page that asks the wallet: says that the wallet moved away from the session. */
export function WalletBanner() {
  const { data: config } = useConfig()
  const wallet = useSession()?.wallet ?? null
  const connected = useSyncExternalStore(connection.subscribe, connection.get)
  const isUnheard = connected === null && wallet !== null
  useEffect(() => {
    // After a reload nothing has asked the wallet yet: it is found without a prompt, so that a change of account is heard.
    if (!isUnheard) return
    signerOf(wallet).catch((error: unknown) => {
      // No wallet shows the account, or the facts of the deployment are not read: both are told where something is signed.
      if (!(error instanceof WalletFault || error instanceof Problem)) throw error
    })
  }, [isUnheard, wallet])
  if (connected === null || wallet === null) return null
  const { account, chainId, lost } = connected
  if (lost) return <Moved how="lost" />
  if (!sameAccount(account, wallet)) return <Moved how="other" />
  const isElsewhere = chainId !== null && config !== undefined && chainId !== config.chain.id
  return isElsewhere ? <Moved how="network" /> : null
}

function Moved({ how }: { readonly how: keyof Words }) {
  const words = useWords()
  return (
    <div className={styles['banner']}>
      <Note kind="held" urgent>
        {words[how]}
      </Note>
    </div>
  )
}
