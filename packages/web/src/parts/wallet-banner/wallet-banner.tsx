import { useSyncExternalStore } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import { useConfig } from '../../lib/config.ts'
import { useSession } from '../../lib/reads.ts'
import { sameAccount } from '../../lib/wallet.ts'
import { connection } from '../../lib/wallets.ts'
import { Note } from '../note/note.tsx'
import { en, type Words } from './words.ts'
import styles from './wallet-banner.module.css'

const useWords = defineWords(en, () => import('./words.ko.ts'))

/** Stands on every page that asks the wallet: says that the wallet moved away from the session. */
export function WalletBanner() {
  const { data: config } = useConfig()
  const wallet = useSession()?.wallet ?? null
  const connected = useSyncExternalStore(connection.subscribe, connection.get)
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
