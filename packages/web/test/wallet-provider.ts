import type { BrowserContext } from 'playwright-core'
import { createWalletClient, http, keccak256, stringToHex, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { announceWallet } from './announce-wallet.ts'

/** How a wallet extension behaves. */
export interface WalletMode {
  /** Default: a fresh one without money. */
  readonly key?: Hex
  readonly name?: string
  /** Picture of the extension in the list. */
  readonly icon?: string
  /** Methods that the person declines (4001). */
  readonly rejects?: readonly string[]
  /** Chain that the wallet is on; default: that of the product. */
  readonly chainId?: number
  /** The wallet does not know the chain of the product until it is added (4902). */
  readonly unknownChain?: boolean
  /** The wallet says that it switched, and stays where it is. */
  readonly stubborn?: boolean
  /** The person is asked by this method, and answers once `until` is settled. */
  readonly held?: { readonly method: string; readonly until: Promise<unknown> }
  /** Account that the wallet shows after the first one was asked for. */
  readonly turnsTo?: Hex
  /** Signs with another key than the one of its account. */
  readonly wrongSignature?: boolean
  /** No account is open: asking for one is pending already (−32002). */
  readonly locked?: boolean
  /** The extension lost its own connection (4900). */
  readonly lost?: boolean
  /** A transaction is sent and no node ever hears of it. */
  readonly drops?: boolean
  /** The person cancels each transaction at once: another one with its number is mined. */
  readonly cancels?: boolean
  /** Takes several calls in one prompt (EIP-5792). */
  readonly batches?: boolean
}

/** A wallet extension of a test: its key stays in this process. */
export interface TestWallet {
  readonly account: PrivateKeyAccount
  /** Every request of the page, in order. */
  readonly calls: readonly { readonly method: string; readonly params: unknown }[]
  /** Changes how it behaves from now on. */
  become(mode: Partial<WalletMode>): void
}

/** What a wallet knows of the product. */
interface Served {
  readonly url: string
  readonly chain: string
}

interface Sent {
  readonly to: Hex
  readonly data?: Hex
  readonly value?: Hex
}

const PRODUCT_CHAIN = 31_337
const hex = (value: number): Hex => `0x${value.toString(16)}`

/** A failure as wallets report it. */
const failure = (code: number, message: string) => ({ error: { code, message } })

/** Installs wallet extensions into a visit; each announces itself by EIP-6963. */
export async function installWallets(
  context: BrowserContext,
  served: Served,
  modes: readonly WalletMode[],
): Promise<TestWallet[]> {
  const wallets = modes.map((mode) => testWallet(mode, served))
  for (const [index, { wallet, answer, shown }] of wallets.entries()) {
    const bridge = `walletBridge${index}`
    await context.exposeFunction(bridge, (method: string, params: unknown) => answer(method, params))
    await context.addInitScript(announceWallet, { bridge, uuid: crypto.randomUUID(), ...shown })
    void wallet
  }
  return wallets.map(({ wallet }) => wallet)
}

function testWallet(first: WalletMode, served: Served) {
  let mode = first
  const account = privateKeyToAccount(first.key ?? generatePrivateKey())
  const calls: { method: string; params: unknown }[] = []
  let chainId = first.chainId ?? PRODUCT_CHAIN
  let knows = first.unknownChain !== true
  let asked = false
  const shownAccount = () =>
    asked && mode.turnsTo !== undefined ? privateKeyToAccount(mode.turnsTo).address : account.address
  const signer = () => (mode.wrongSignature === true ? privateKeyToAccount(generatePrivateKey()) : account)

  const send = ({ to, data, value }: Sent): Promise<Hex> =>
    createWalletClient({ account, transport: http(served.chain) }).sendTransaction({
      chain: null,
      to,
      ...(data === undefined ? {} : { data }),
      value: BigInt(value ?? '0x0'),
    })
  const answers: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    eth_accounts: () => [shownAccount()],
    eth_requestAccounts: () => {
      if (mode.locked === true) return failure(-32002, 'a request is pending already')
      const accounts = [shownAccount()]
      asked = true
      return accounts
    },
    eth_chainId: () => hex(chainId),
    wallet_switchEthereumChain: ([wanted]) => {
      const id = Number(Reflect.get(wanted as object, 'chainId'))
      if (id === PRODUCT_CHAIN && !knows) return failure(4902, 'unrecognised chain')
      if (mode.stubborn !== true) chainId = id
      return null
    },
    wallet_addEthereumChain: () => {
      knows = true
      return null
    },
    personal_sign: ([message]) => signer().signMessage({ message: { raw: message as Hex } }),
    eth_signTypedData_v4: ([, json]) => {
      const { types, ...rest } = JSON.parse(String(json)) as Parameters<PrivateKeyAccount['signTypedData']>[0]
      const { EIP712Domain: _, ...named } = types as Record<string, unknown>
      return signer().signTypedData({ ...rest, types: named } as Parameters<PrivateKeyAccount['signTypedData']>[0])
    },
    eth_sendTransaction: async ([sent]) => {
      const hash = keccak256(stringToHex(crypto.randomUUID()))
      if (mode.drops === true) return hash
      if (mode.cancels !== true) return send(sent as Sent)
      await send({ to: account.address })
      return hash
    },
    wallet_getCapabilities: () =>
      mode.batches === true
        ? { [hex(PRODUCT_CHAIN)]: { atomic: { status: 'supported' } } }
        : failure(4200, 'no capabilities'),
    wallet_sendCalls: async ([batch]) => {
      const { calls: wanted } = batch as { calls: readonly Sent[] }
      let last: Hex = '0x'
      for (const call of wanted) last = await send(call)
      return { id: last }
    },
    wallet_getCallsStatus: ([hash]) => ({ status: 200, receipts: [{ transactionHash: hash }] }),
  }
  /** What the node answers for every wallet. */
  const ofNode = new Set([
    'eth_getTransactionReceipt',
    'eth_getTransactionByHash',
    'eth_getTransactionCount',
    'eth_blockNumber',
    'eth_call',
    'eth_estimateGas',
    'eth_getBalance',
  ])

  const answer = async (method: string, given: unknown): Promise<unknown> => {
    const params = Array.isArray(given) ? (given as unknown[]) : []
    calls.push({ method, params: given })
    if (mode.held?.method === method) await mode.held.until
    if (mode.lost === true) return failure(4900, 'disconnected')
    if (mode.rejects?.includes(method) === true) return failure(4001, 'the person declined')
    const known = answers[method]
    if (known === undefined && !ofNode.has(method)) return failure(4200, `${method} is not supported`)
    try {
      const result = known === undefined ? await ofChain(served.chain, method, params) : await known(params)
      return typeof result === 'object' && result !== null && 'error' in result ? result : { result }
    } catch (error) {
      return failure(-32603, error instanceof Error ? error.message : String(error))
    }
  }
  const wallet: TestWallet = {
    account,
    calls,
    become: (next) => {
      mode = { ...mode, ...next }
      if (next.chainId !== undefined) chainId = next.chainId
    },
  }
  const shown = { name: first.name ?? 'Test wallet', icon: first.icon ?? ICON }
  return { wallet, answer, shown }
}

const ICON =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"%3E%3Crect width="8" height="8" fill="%23777"/%3E%3C/svg%3E'

async function ofChain(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } }
  if (error !== undefined) throw new Error(error.message)
  return result
}
