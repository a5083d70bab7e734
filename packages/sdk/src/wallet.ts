/** Typed data (EIP-712), as `GET /hub/mandates/{public_id}/terms` returns it. */
export interface TypedData {
  readonly domain: Readonly<Record<string, unknown>>
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

/** A transaction in the form of `eth_sendTransaction`, as the service prepares it. */
export interface PreparedTransaction {
  readonly from: string
  readonly to: string
  readonly data: string
  readonly value: string
  readonly chainId: string
}

/** What the SDK needs of a wallet. */
export interface Wallet {
  readonly address: string
  signMessage(message: string): Promise<string>
  signTypedData(data: TypedData): Promise<string>
  /** Sends a transaction on the chain that it names; returns its hash. */
  sendTransaction(transaction: PreparedTransaction): Promise<string>
  /** Returns whether a transaction succeeded; null while it is in no block. */
  succeeded(hash: string): Promise<boolean | null>
}

/** A provider of a browser wallet (EIP-1193). */
export interface Eip1193 {
  request(asked: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>
}

/** The members of viem's wallet clients and local accounts that are used. */
export interface ViemSigner {
  readonly address?: string
  readonly account?: { readonly address: string } | undefined
  readonly chain?: unknown
  signMessage(asked: never): Promise<string>
  signTypedData(asked: never): Promise<string>
  sendTransaction?(asked: never): Promise<string>
  request?(asked: never): Promise<unknown>
}

/** The members of an ethers signer (version 6) that are used. */
export interface EthersSigner {
  readonly provider?: { send?(method: string, params: unknown[]): Promise<unknown> } | null
  getAddress(): Promise<string>
  signMessage(message: string): Promise<string>
  signTypedData(domain: never, types: never, message: never): Promise<string>
  sendTransaction(transaction: never): Promise<{ readonly hash: string }>
}

export type Signer = Wallet | ViemSigner | EthersSigner | Eip1193

/** A wallet cannot do what is asked of it. */
export class WalletError extends Error {
  override readonly name = 'WalletError'
}

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

async function succeeded(ask: Ask, hash: string): Promise<boolean | null> {
  const receipt = (await ask('eth_getTransactionReceipt', [hash])) as { readonly status?: string } | null
  return receipt === null ? null : receipt.status === '0x1'
}

/** Rejects unless a wallet is on the chain of a transaction. */
async function mustBeOn(ask: Ask, { chainId }: PreparedTransaction): Promise<void> {
  const found = String(await ask('eth_chainId', []))
  if (BigInt(found) !== BigInt(chainId))
    throw new WalletError(
      `the wallet is on chain ${BigInt(found)}, and the transaction is for chain ${BigInt(chainId)}: switch the wallet`,
    )
}

const noChain: Ask = () =>
  Promise.reject(
    new WalletError('this signer has no connection to a chain: give a wallet client or a signer with a provider'),
  )

function ofViem(signer: ViemSigner): Wallet {
  const { account, chain } = signer
  const address = account?.address ?? signer.address
  if (address === undefined) throw new WalletError('the wallet client has no account: create it with one')
  const with_ = account === undefined ? {} : { account }
  const { request, sendTransaction } = signer
  const ask: Ask =
    request === undefined ? noChain : (method, params) => request.call(signer, { method, params } as never)
  return {
    address,
    signMessage: (message) => signer.signMessage({ ...with_, message } as never),
    signTypedData: (data) => signer.signTypedData({ ...with_, ...data } as never),
    sendTransaction: async (transaction) => {
      if (sendTransaction === undefined) return String(await noChain('', []))
      await mustBeOn(ask, transaction)
      const { to, data, value } = transaction
      return sendTransaction.call(signer, { ...with_, chain: chain ?? null, to, data, value: BigInt(value) } as never)
    },
    succeeded: (hash) => succeeded(ask, hash),
  }
}

async function ofEthers(signer: EthersSigner): Promise<Wallet> {
  const { provider } = signer
  const ask: Ask = async (method, params) => {
    if (provider?.send === undefined) return noChain(method, params)
    return provider.send(method, [...params])
  }
  return {
    address: await signer.getAddress(),
    signMessage: (message) => signer.signMessage(message),
    signTypedData: ({ domain, types, message }) => {
      const { EIP712Domain: _, ...named } = types
      return signer.signTypedData(domain as never, named as never, message as never)
    },
    sendTransaction: async (transaction) => {
      await mustBeOn(ask, transaction)
      const { to, data, value } = transaction
      return (await signer.sendTransaction({ to, data, value: BigInt(value) } as never)).hash
    },
    succeeded: (hash) => succeeded(ask, hash),
  }
}

async function ofProvider(provider: Eip1193): Promise<Wallet> {
  const ask: Ask = (method, params) => provider.request({ method, params })
  const [address] = (await ask('eth_requestAccounts', [])) as readonly string[]
  if (address === undefined) throw new WalletError('the wallet shows no account: unlock it and connect it to this page')
  const hex = (text: string) =>
    `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
  return {
    address,
    signMessage: async (message) => String(await ask('personal_sign', [hex(message), address])),
    signTypedData: async (data) => String(await ask('eth_signTypedData_v4', [address, JSON.stringify(data)])),
    sendTransaction: async (transaction) => {
      await mustBeOn(ask, transaction)
      return String(await ask('eth_sendTransaction', [transaction]))
    },
    succeeded: (hash) => succeeded(ask, hash),
  }
}

/**
 * Returns the wallet behind a signer: a wallet client or local account of viem, a signer of ethers, a provider of a browser
 * wallet (EIP-1193), or an own implementation of `Wallet`. Local accounts sign, but cannot send.
 */
export async function walletOf(signer: Signer): Promise<Wallet> {
  if ('succeeded' in signer) return signer
  if ('getAddress' in signer) return ofEthers(signer)
  if ('signMessage' in signer) return ofViem(signer)
  return ofProvider(signer)
}
