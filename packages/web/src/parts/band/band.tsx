import { useSyncExternalStore } from 'react'
import { LOCAL_CHAIN } from '../../i18n/chain-name.ts'
import { useShared } from '../../i18n/index.tsx'
import { useConfig } from '../../lib/config.ts'
import styles from './band.module.css'

function watchConnection(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** The band above everything: that money is test money, and what is missing to sign anything. Its place is kept from the start. */
export function Band() {
  const words = useShared()
  const online = useSyncExternalStore(watchConnection, () => navigator.onLine)
  const config = useConfig()
  const chain = config.data?.chain
  if (!online)
    return (
      <p className={`${styles['band']} ${styles['offline']}`} role="status">
        {words.band.offline}
      </p>
    )
  if (chain === undefined && config.error !== null)
    return (
      <p className={`${styles['band']} ${styles['offline']}`} role="status">
        {words.band.unread}
      </p>
    )
  if (chain === undefined) return <p className={styles['band']} aria-hidden="true" />
  if (!chain.test) return null
  return <p className={styles['band']}>{chain.id === LOCAL_CHAIN ? words.band.local : words.band.test(chain.name)}</p>
}
