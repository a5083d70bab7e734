import type { Client } from './client.ts'
import type { Answer, Input, Session } from './operations.ts'
import { walletOf, type Signer, type Wallet } from './wallet.ts'

/** The service sent a message to sign that names another site or another wallet. It was not signed. */
export class ForeignMessageError extends Error {
  override readonly name = 'ForeignMessageError'
}

export interface SignInOptions {
  /** Host that the message must name; default: that of the base URL. */
  readonly host?: string
}

/** Throws unless a message (EIP-4361) asks to sign in at this host with this wallet. */
function mustBeOurs(message: string, host: string, address: string): void {
  const [first = '', second = ''] = message.split('\n')
  const named = /^(\S+) wants you to sign in with your Ethereum account:$/.exec(first)?.[1]
  if (named === host && second.toLowerCase() === address.toLowerCase()) return
  throw new ForeignMessageError(
    `the message is for ${named ?? 'no host'} and ${second || 'no wallet'}, not for ${host} and ${address}; it was not signed`,
  )
}

type Purpose = NonNullable<Input<'requestNonce'>['purpose']>

async function proof(client: Client, wallet: Wallet, purpose: Purpose, { host }: SignInOptions) {
  const wallet_address = wallet.address
  const { message } = await client.api.requestNonce({ wallet_address, purpose })
  mustBeOurs(message, host ?? new URL(client.baseUrl).host, wallet_address)
  return { wallet_address, message, signature: await wallet.signMessage(message) }
}

/** Signs an owner in with a wallet; the first sign-in creates the account. Store the session: it is a secret. */
export async function signIn(client: Client, signer: Signer, options: SignInOptions = {}): Promise<Session> {
  return client.api.openSession(await proof(client, await walletOf(signer), 'session', options))
}

/** Registers a wallet as an agent. The answer has the API key, which is shown once: store it. */
export async function registerAgent(
  client: Client,
  signer: Signer,
  { agent_name, ...options }: SignInOptions & { readonly agent_name: string },
): Promise<Answer<'registerAgent'>> {
  return client.api.registerAgent({ ...(await proof(client, await walletOf(signer), 'register', options)), agent_name })
}
