import { useRef, useState } from 'react'
import { useChainName } from '../../i18n/chain-name.ts'
import { defineWords } from '../../i18n/index.tsx'
import { api } from '../../lib/api.ts'
import { useConfig } from '../../lib/config.ts'
import { openSession } from '../../lib/open-session.ts'
import { ForeignMessage, signInWith, type SignInStage } from '../../lib/sign-in.ts'
import { addNetwork, faultOf, WalletFault, type FoundWallet, type Network } from '../../lib/wallet.ts'
import { signWith } from '../../lib/wallets.ts'
import { Problem } from '../../lib/problem.ts'
import { Button } from '../button/button.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { Failed } from '../failed/failed.tsx'
import { Note } from '../note/note.tsx'
import { useWalletWords, WalletFaultNote } from '../wallet-fault/wallet-fault.tsx'
import { WalletList } from '../wallet-list/wallet-list.tsx'
import { signInAsked } from './ask-sign-in.ts'
import { en } from './words.ts'
import styles from './sign-in.module.css'

const useWords = defineWords(en, () => import('./words.ko.ts'))

/** Where the dialog stands: nothing asked, a wallet asked, or what went wrong with it. */
type State =
  | { readonly at: 'choose' }
  | { readonly at: 'asking'; readonly wallet: FoundWallet; readonly stage: SignInStage }
  | { readonly at: 'fault'; readonly wallet: FoundWallet; readonly error: unknown }

/** The dialog in which a person signs in. It stays open after a declined prompt, so that a second try is one click. */
export function SignIn() {
  const words = useWords()
  const chainName = useChainName()
  const { data: config } = useConfig()
  const [state, setState] = useState<State>({ at: 'choose' })
  const round = useRef(0)
  const network: Network | null = config?.chain ?? null

  const start = async (wallet: FoundWallet, adding = false) => {
    round.current += 1
    const own = round.current
    const tell = (next: State) => own === round.current && setState(next)
    tell({ at: 'asking', wallet, stage: 'connect' })
    try {
      if (adding && network !== null) await addNetwork(wallet.provider, network)
      const account = await signInWith(wallet.provider, {
        network,
        host: location.host,
        origin: location.origin,
        requestMessage: async (asked) =>
          (await api('POST /auth/wallet/nonce', { wallet_address: asked, purpose: 'session' }, { asVisitor: true }))
            .message,
        openSession: ({ account: signer, message, signature }) =>
          openSession({ wallet_address: signer, message, signature }),
        tell: (stage) => tell({ at: 'asking', wallet, stage }),
      })
      signWith(wallet, account)
      signInAsked.get()?.answer(true)
    } catch (error) {
      tell({ at: 'fault', wallet, error })
    }
  }

  return (
    <Dialog title={words.title} onClose={() => signInAsked.get()?.answer(false)}>
      <p className={styles['lead']}>
        {words.lead} {network !== null && words.on(chainName(network))}
      </p>
      <WalletList onChoose={(wallet) => void start(wallet)} busy={state.at === 'asking' ? state.wallet.id : null} />
      <div className={styles['news']} aria-live="polite">
        {state.at === 'asking' && <p className={styles['stage']}>{words.stage[state.stage]}</p>}
        {state.at === 'fault' && (
          <Fault
            error={state.error}
            mayAdd={network?.rpcUrl !== undefined && network.rpcUrl !== null}
            again={(adding) => void start(state.wallet, adding)}
          />
        )}
      </div>
      <p className={styles['stays']}>{words.stays}</p>
    </Dialog>
  )
}

interface FaultProps {
  readonly error: unknown
  /** The page knows a public node, so that the wallet can be given the network. */
  readonly mayAdd: boolean
  readonly again: (adding: boolean) => void
}

function Fault({ error, mayAdd, again }: FaultProps) {
  const words = useWords()
  const wallet = useWalletWords()
  if (error instanceof Problem) return <Failed error={error} again={() => again(false)} />
  if (error instanceof ForeignMessage)
    return (
      <Note kind="out" title={words.foreign} urgent>
        <p>{words.foreignSaid}</p>
      </Note>
    )
  const { kind, said } = error instanceof WalletFault ? error : faultOf(error)
  const adds = kind === 'unknown_network' && mayAdd
  return (
    <WalletFaultNote
      kind={kind}
      said={said}
      action={
        <Button size="s" onClick={() => again(adds)}>
          {adds ? wallet.addNetwork : wallet.again}
        </Button>
      }
    />
  )
}
