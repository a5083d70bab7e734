import type { ReactNode } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import { useConfig } from '../../lib/config.ts'
import type { WalletFaultKind } from '../../lib/wallet.ts'
import { Note } from '../note/note.tsx'
import { Stranger } from '../stranger/stranger.tsx'
import { en } from './words.ts'

/** Returns the words for what wallets say no to. */
export const useWalletWords = defineWords(en, () => import('./words.ko.ts'))

interface WalletFaultNoteProps {
  readonly kind: WalletFaultKind
  /** Words of the wallet itself. */
  readonly said: string | null
  readonly action?: ReactNode
}

/** What a wallet said no to, and what to do. A declined prompt is calm: it is no error. */
export function WalletFaultNote({ kind, said, action }: WalletFaultNoteProps) {
  const words = useWalletWords()
  const { data: config } = useConfig()
  const tone = kind === 'declined' || kind === 'pending' ? 'calm' : kind === 'failed' ? 'out' : 'held'
  const network = kind === 'wrong_network' || kind === 'unknown_network' ? config?.chain : null
  return (
    <Note kind={tone} title={words[kind].title} urgent={tone !== 'calm'} {...(action === undefined ? {} : { action })}>
      <p>{words[kind].said}</p>
      {network !== null && network !== undefined && (
        <p>
          <strong>{words.network(network.name, network.id)}</strong>
        </p>
      )}
      {kind === 'failed' && said !== null && <Stranger text={said} lines={2} />}
    </Note>
  )
}
