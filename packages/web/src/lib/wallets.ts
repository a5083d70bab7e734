import { readConfig } from './config.ts'
import { askPerson } from './demo-questions.ts'
import { demoWallet } from './demo-wallet.ts'
import { openStore } from './store.ts'
import {
  accountsOf,
  findWallets,
  listen,
  sameAccount,
  WalletFault,
  type Address,
  type FoundWallet,
  type Provider,
  type Signer,
} from './wallet.ts'

/** Id of the wallet of the local chain. */
export const DEMO_WALLET = 'demo'

/** Wallets of this browser, in the order in which they announced themselves; the demo wallet is first where there is one. */
export const foundWallets = openStore<readonly FoundWallet[]>([])

/** What a connected wallet says of itself. */
export interface Connection {
  readonly wallet: FoundWallet
  /** The account that the wallet shows now; null while it is locked. */
  readonly account: Address | null
  /** The network that it told of last; null before. */
  readonly chainId: number | null
  /** The wallet lost its connection. */
  readonly lost: boolean
}

/** The wallet that signed last in this tab; null before. */
export const connection = openStore<Connection | null>(null)

async function post(body: string): Promise<unknown> {
  const response = await fetch('/dev/rpc', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return response.json()
}

let looking = false

/** Begins to look for wallets, once for the life of the tab. */
export function lookForWallets(withDemo: boolean): void {
  if (looking) return
  looking = true
  const demo: readonly FoundWallet[] = withDemo
    ? [{ id: DEMO_WALLET, name: '', icon: null, provider: demoWallet({ post, ask: askPerson }) }]
    : []
  foundWallets.set(demo)
  findWallets(window, (wallets) => foundWallets.set([...demo, ...wallets]))
}

let stopListening: (() => void) | null = null

/** Makes a wallet the one that signs, and listens to what it tells. */
export function signWith(wallet: FoundWallet, account: Address): void {
  stopListening?.()
  const change = (part: Partial<Connection>) => {
    const now = connection.get()
    if (now !== null && now.wallet.id === wallet.id) connection.set({ ...now, ...part })
  }
  connection.set({ wallet, account, chainId: null, lost: false })
  stopListening = listen(wallet.provider, {
    onAccount: (shown) => change({ account: shown, lost: false }),
    onNetwork: (chainId) => change({ chainId, lost: false }),
    onLost: () => change({ lost: true }),
  })
}

/** How long wallets have to announce themselves after a page opened. */
const ANNOUNCE_MS = 300

/**
 * Returns the wallet that shows an account, without a prompt: the one that signed last, else any other that shows it to this
 * page. Throws `WalletFault`: `locked` if none does.
 */
export async function signerOf(account: Address): Promise<Signer> {
  const last = connection.get()?.wallet
  if (last !== undefined) return { provider: last.provider, account }
  lookForWallets((await readConfig()).demo_wallet)
  const signer = await amongFound(account)
  if (signer !== null) return signer
  await new Promise((resolve) => setTimeout(resolve, ANNOUNCE_MS))
  const late = await amongFound(account)
  if (late === null) throw new WalletFault('locked')
  return late
}

async function amongFound(account: Address): Promise<Signer | null> {
  for (const wallet of foundWallets.get()) {
    if (!(await shows(wallet.provider, account))) continue
    signWith(wallet, account)
    return { provider: wallet.provider, account }
  }
  return null
}

async function shows(provider: Provider, account: Address): Promise<boolean> {
  try {
    return (await accountsOf(provider)).some((shown) => sameAccount(shown, account))
  } catch {
    return false
  }
}
