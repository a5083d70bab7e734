import { useEffect, useSyncExternalStore } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import { useConfig } from '../../lib/config.ts'
import type { FoundWallet } from '../../lib/wallet.ts'
import { DEMO_WALLET, foundWallets, lookForWallets } from '../../lib/wallets.ts'
import { Bones } from '../bones/bones.tsx'
import { Failed } from '../failed/failed.tsx'
import { Note } from '../note/note.tsx'
import { en } from './words.ts'
import styles from './wallet-list.module.css'

const useWords = defineWords(en, () => import('./words.ko.ts'))

/** Returns the wallets of this browser, and begins to look for them. */
export function useFoundWallets(): readonly FoundWallet[] {
  const { data: config } = useConfig()
  const withDemo = config?.demo_wallet
  useEffect(() => {
    if (withDemo !== undefined) lookForWallets(withDemo)
  }, [withDemo])
  return useSyncExternalStore(foundWallets.subscribe, foundWallets.get)
}

interface WalletListProps {
  readonly onChoose: (wallet: FoundWallet) => void
  /** The wallet that is asked now. */
  readonly busy?: string | null
}

/** The wallets that announced themselves; the demo wallet of a local chain stands first. */
export function WalletList({ onChoose, busy = null }: WalletListProps) {
  const words = useWords()
  const wallets = useFoundWallets()
  const { data: config, error, refetch } = useConfig()
  if (config === undefined)
    return error === null ? <Bones lines={[1]} rem={3.75} /> : <Failed error={error} again={() => void refetch()} />
  if (wallets.length === 0)
    return (
      <Note kind="held" title={words.none}>
        <p>{words.noneHint}</p>
      </Note>
    )
  return (
    <ul className={styles['list']} aria-label={words.label}>
      {wallets.map((wallet) => (
        <li key={wallet.id}>
          <button
            type="button"
            className={styles['wallet']}
            aria-busy={busy === wallet.id || undefined}
            aria-disabled={busy !== null || undefined}
            onClick={() => busy === null && onChoose(wallet)}
          >
            <Icon wallet={wallet} />
            <span className={styles['text']}>
              <span className={styles['name']}>
                {wallet.id === DEMO_WALLET ? words.demo : <bdi>{wallet.name.trim() || words.unnamed}</bdi>}
              </span>
              {wallet.id === DEMO_WALLET && <span className={styles['hint']}>{words.demoHint}</span>}
            </span>
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" className={styles['go']}>
              <path d="m6 3 5 5-5 5" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />
            </svg>
          </button>
        </li>
      ))}
    </ul>
  )
}

function Icon({ wallet }: { readonly wallet: FoundWallet }) {
  if (wallet.icon !== null) return <img src={wallet.icon} alt="" width="36" height="36" className={styles['icon']} />
  return (
    <span className={styles['icon']} aria-hidden="true">
      <svg viewBox="0 0 20 20" width="20" height="20">
        <path
          d="M3 6.5A1.5 1.5 0 0 1 4.5 5H15v3h1.5A1.5 1.5 0 0 1 18 9.5v5A1.5 1.5 0 0 1 16.5 16h-12A1.5 1.5 0 0 1 3 14.5z"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
        />
        <circle cx="14.5" cy="12" r="1.2" fill="currentColor" />
      </svg>
    </span>
  )
}
