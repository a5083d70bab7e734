import {
  accountsOf,
  connect,
  sameAccount,
  signText,
  switchTo,
  WalletFault,
  type Address,
  type Hex,
  type Network,
  type Provider,
} from './wallet.ts'

/** Where a sign-in stands. */
export type SignInStage = 'connect' | 'network' | 'message' | 'sign' | 'session'

/** A message that is not for this page. It is never signed. */
export class ForeignMessage extends Error {
  override readonly name = 'ForeignMessage'
}

/** What a sign-in needs of the page and the service. */
export interface SignInMeans {
  /** Null while the deployment reads no chain. */
  readonly network: Network | null
  /** Host and origin of the page. */
  readonly host: string
  readonly origin: string
  readonly requestMessage: (account: Address) => Promise<string>
  readonly openSession: (proof: { account: Address; message: string; signature: Hex }) => Promise<void>
  readonly tell: (stage: SignInStage) => void
}

/**
 * Signs a person in: connects, puts the wallet on the network, and has it sign the message of the service, which must name
 * this page and this account. Returns the account. Throws `WalletFault`, `ForeignMessage` and what the service refuses.
 */
export async function signInWith(provider: Provider, means: SignInMeans): Promise<Address> {
  const { network, tell } = means
  tell('connect')
  const account = await connect(provider)
  if (network !== null) {
    tell('network')
    await switchTo(provider, network)
  }
  tell('message')
  const message = await means.requestMessage(account)
  mustBeForThisPage(message, account, means)
  tell('sign')
  const signature = await signText({ provider, account }, message)
  const [shown] = await accountsOf(provider)
  if (!sameAccount(shown ?? null, account)) throw new WalletFault('other_account')
  tell('session')
  await means.openSession({ account, message, signature })
  return account
}

/** Throws unless a sign-in message (EIP-4361) is for this host, this origin and this account. */
function mustBeForThisPage(message: string, account: Address, { host, origin }: SignInMeans): void {
  const [first = '', second = ''] = message.split('\n')
  const uri = /^URI: (.*)$/m.exec(message)?.[1] ?? ''
  const named = /^(\S+) wants you to sign in with your Ethereum account:$/.exec(first)?.[1]
  const isOurs = named === host && (uri === origin || uri.startsWith(`${origin}/`))
  if (!isOurs || !sameAccount(second, account)) throw new ForeignMessage('the message names another page or account')
}
