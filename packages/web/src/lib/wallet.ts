/** An address of a person or a contract, as wallets and the API give it. */
export type Address = `0x${string}`
/** Bytes. */
export type Hex = `0x${string}`

/** What every wallet of a browser offers (EIP-1193). */
export interface Provider {
  readonly request: (call: { readonly method: string; readonly params?: readonly unknown[] }) => Promise<unknown>
  readonly on?: (event: string, listener: (payload: unknown) => void) => unknown
  readonly removeListener?: (event: string, listener: (payload: unknown) => void) => unknown
}

/** A wallet that announced itself (EIP-6963), with texts that it chose itself. */
export interface FoundWallet {
  readonly id: string
  readonly name: string
  /** A picture as a data URI; null if the wallet gave none that is safe to show. */
  readonly icon: string | null
  readonly provider: Provider
}

/** A network that a wallet can switch to. */
export interface Network {
  readonly id: number
  readonly name: string
  /** Address of a public node; null if none is known, then a person adds the network by hand. */
  readonly rpcUrl?: string | null
  readonly explorer?: string | null
}

/** What can go wrong in a wallet, told apart. */
export type WalletFaultKind =
  | 'declined'
  | 'pending'
  | 'unknown_network'
  | 'wrong_network'
  | 'unauthorised'
  | 'unsupported'
  | 'disconnected'
  | 'locked'
  | 'other_account'
  | 'failed'

/** A fault of a wallet. `declined` is no error: nothing was signed or sent. */
export class WalletFault extends Error {
  override readonly name = 'WalletFault'
  readonly kind: WalletFaultKind
  /** Words of the wallet itself; a stranger's text. */
  readonly said: string | null

  constructor(kind: WalletFaultKind, said: string | null = null) {
    super(kind)
    this.kind = kind
    this.said = said
  }
}

const KIND_OF_CODE: Readonly<Record<number, WalletFaultKind>> = {
  4001: 'declined',
  4100: 'unauthorised',
  4200: 'unsupported',
  4900: 'disconnected',
  4901: 'disconnected',
  4902: 'unknown_network',
  [-32_601]: 'unsupported',
  [-32_002]: 'pending',
}

const codeOf = (error: unknown): number | null => {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null
  return typeof error.code === 'number' ? error.code : null
}

/** Returns any error of a wallet as a `WalletFault`. Some wallets hide the code of an unknown network in `data.originalError`. */
export function faultOf(error: unknown): WalletFault {
  if (error instanceof WalletFault) return error
  const hidden = (error as { data?: { originalError?: unknown } } | null)?.data?.originalError
  const kind = KIND_OF_CODE[codeOf(hidden) ?? Number.NaN] ?? KIND_OF_CODE[codeOf(error) ?? Number.NaN] ?? 'failed'
  const said = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)
  return new WalletFault(kind, said.slice(0, 500))
}

/** Calls a method of a wallet. Throws `WalletFault`. */
export async function ask(provider: Provider, method: string, params?: readonly unknown[]): Promise<unknown> {
  try {
    return await provider.request(params === undefined ? { method } : { method, params })
  } catch (error) {
    throw faultOf(error)
  }
}

const isAddress = (value: unknown): value is Address => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)
const addressesOf = (value: unknown): Address[] => (Array.isArray(value) ? value.filter(isAddress) : [])

/** Returns true if both texts are the same address. */
export const sameAccount = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && one.toLowerCase() === other.toLowerCase()

/** Asks the person to connect, and returns the account that the wallet shows first. Throws `WalletFault`. */
export async function connect(provider: Provider): Promise<Address> {
  const [first] = addressesOf(await ask(provider, 'eth_requestAccounts'))
  if (first === undefined) throw new WalletFault('locked')
  return first
}

/** Returns the accounts that the wallet shows to this page without asking; none while it is locked. */
export const accountsOf = async (provider: Provider): Promise<Address[]> =>
  addressesOf(await ask(provider, 'eth_accounts'))

/** Returns the id of the wallet's present network. Throws `WalletFault`. */
export async function chainOf(provider: Provider): Promise<number> {
  const value = await ask(provider, 'eth_chainId')
  const id = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  if (!Number.isSafeInteger(id) || id < 1) throw new WalletFault('failed', 'no chain id')
  return id
}

/**
 * Puts the wallet on a network. Some wallets answer a switch with success and stay where they were, so the network is
 * asked for again. Throws `WalletFault`: `wrong_network` if the wallet stays elsewhere, `unknown_network` if it must be added.
 */
export async function switchTo(provider: Provider, { id }: Network): Promise<void> {
  if ((await chainOf(provider)) === id) return
  try {
    await ask(provider, 'wallet_switchEthereumChain', [{ chainId: hexOf(id) }])
  } catch (error) {
    // A wallet that cannot switch by itself is switched by hand.
    if (faultOf(error).kind !== 'unsupported') throw error
  }
  if ((await chainOf(provider)) !== id) throw new WalletFault('wrong_network')
}

/** Offers a network to a wallet that does not know it, then puts the wallet on it. Throws `WalletFault`. */
export async function addNetwork(provider: Provider, network: Network): Promise<void> {
  if (network.rpcUrl === null || network.rpcUrl === undefined) throw new WalletFault('unknown_network')
  await ask(provider, 'wallet_addEthereumChain', [
    {
      chainId: hexOf(network.id),
      chainName: network.name,
      rpcUrls: [network.rpcUrl],
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      ...(network.explorer ? { blockExplorerUrls: [network.explorer] } : {}),
    },
  ])
  await switchTo(provider, network)
}

/** Returns a number as wallets write it. */
export const hexOf = (value: number): Hex => `0x${value.toString(16)}`

/** Who must sign, and where. */
export interface Signer {
  readonly provider: Provider
  readonly account: Address
}

/** Throws `WalletFault` unless the wallet still shows the account of the session: another account signs nothing. */
export async function mustBeAccount({ provider, account }: Signer): Promise<void> {
  const shown = await accountsOf(provider)
  if (shown.length === 0) throw new WalletFault('locked')
  if (!sameAccount(shown[0] ?? null, account)) throw new WalletFault('other_account')
}

const bytesOf = (value: unknown): Hex => {
  if (typeof value !== 'string' || !/^0x(?:[0-9a-fA-F]{2})+$/.test(value))
    throw new WalletFault('failed', 'no signature')
  return value as Hex
}

/** Signs a text by `personal_sign`. Throws `WalletFault`. */
export async function signText({ provider, account }: Signer, text: string): Promise<Hex> {
  const bytes = [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return bytesOf(await ask(provider, 'personal_sign', [`0x${bytes}`, account]))
}

/** Signs typed data by `eth_signTypedData_v4`. Throws `WalletFault`. */
export async function signTyped(signer: Signer, typedData: unknown): Promise<Hex> {
  await mustBeAccount(signer)
  return bytesOf(await ask(signer.provider, 'eth_signTypedData_v4', [signer.account, JSON.stringify(typedData)]))
}

/** A call that this page has checked. */
export interface CheckedCall {
  readonly to: Address
  readonly data: Hex
}

/**
 * Sends a checked call from the account of the session on its network, and returns the transaction's hash. The
 * transaction is written here: nothing but `to` and `data` comes from an answer. Throws `WalletFault`.
 */
export async function sendCall(signer: Signer, network: Network, { to, data }: CheckedCall): Promise<Hex> {
  await switchTo(signer.provider, network)
  await mustBeAccount(signer)
  const call = { from: signer.account, to, data, value: '0x0', chainId: hexOf(network.id) }
  const hash = await ask(signer.provider, 'eth_sendTransaction', [call])
  if (typeof hash !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(hash)) throw new WalletFault('failed', 'no hash')
  return hash as Hex
}

/** What a wallet tells while it is connected. */
export interface WalletNews {
  readonly onAccount: (account: Address | null) => void
  readonly onNetwork: (id: number) => void
  readonly onLost: () => void
}

/** Listens to a wallet; returns the function that ends it. A wallet without events is never heard of. */
export function listen(provider: Provider, { onAccount, onNetwork, onLost }: WalletNews): () => void {
  const heard: Readonly<Record<string, (payload: unknown) => void>> = {
    accountsChanged: (payload) => onAccount(addressesOf(payload)[0] ?? null),
    chainChanged: (payload) => onNetwork(Number(payload)),
    disconnect: onLost,
  }
  for (const [event, listener] of Object.entries(heard)) provider.on?.(event, listener)
  return () => {
    for (const [event, listener] of Object.entries(heard)) provider.removeListener?.(event, listener)
  }
}

/** Most wallets that are listed. */
const WALLETS_MAX = 20

/** Collects the wallets that announce themselves (EIP-6963) and tells `changed` of each; returns the function that ends it. */
export function findWallets(page: EventTarget, changed: (wallets: readonly FoundWallet[]) => void): () => void {
  const found = new Map<string, FoundWallet>()
  const heard = (event: Event) => {
    const wallet = announced((event as CustomEvent<unknown>).detail)
    if (wallet === null || found.has(wallet.id) || found.size >= WALLETS_MAX) return
    found.set(wallet.id, wallet)
    changed([...found.values()])
  }
  page.addEventListener('eip6963:announceProvider', heard)
  page.dispatchEvent(new Event('eip6963:requestProvider'))
  return () => page.removeEventListener('eip6963:announceProvider', heard)
}

const NAME_MAX = 60
const ICON_MAX = 100_000

/** Returns an announced wallet; null for a detail of another shape. Only pictures inside the announcement are shown. */
function announced(detail: unknown): FoundWallet | null {
  const { info, provider } = (detail ?? {}) as { info?: Record<string, unknown>; provider?: Provider }
  if (typeof info !== 'object' || info === null || typeof provider?.request !== 'function') return null
  const { uuid, name, icon, rdns } = info
  if (typeof uuid !== 'string' || typeof name !== 'string') return null
  const shown =
    typeof icon === 'string' && icon.length <= ICON_MAX && /^data:image\/(?:png|jpeg|webp|svg\+xml)[;,]/.test(icon)
  return {
    id: typeof rdns === 'string' && rdns !== '' ? `${rdns}/${uuid}` : uuid,
    name: name.slice(0, NAME_MAX),
    icon: shown ? icon : null,
    provider,
  }
}
