import { useSyncExternalStore } from 'react'
import { useConfig } from '../../lib/config.ts'
import { useSession } from '../../lib/reads.ts'
import { sameAccount } from '../../lib/wallet.ts'
import { connection } from '../../lib/wallets.ts'
import { Note } from '../../parts/note/note.tsx'
import { useWords } from './use-words.ts'
import styles from './start.module.css'

/** Says when the wallet moved away from the session: another account, another network, or no connection. */
export function WalletBanner() {
  const { who } = useWords()
  const { data: config } = useConfig()
  const wallet = useSession()?.wallet ?? null
  const connected = useSyncExternalStore(connection.subscribe, connection.get)
  if (connected === null || wallet === null) return null
  const { account, chainId, lost } = connected
  const text = lost
    ? who.lost
    : !sameAccount(account, wallet)
      ? who.other
      : chainId !== null && config !== undefined && chainId !== config.chain.id
        ? who.network
        : null
  if (text === null) return null
  return (
    <div className={styles['gap']}>
      <Note kind="held" urgent>
        {text}
      </Note>
    </div>
  )
}
