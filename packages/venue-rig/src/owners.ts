import { signL1Action, signUserSignedAction } from '@nktkas/hyperliquid/signing'
import type { Caller } from '@svc/contract'
import { normalizeSignature, typedDataOf, userSignedBody, type IocOrder, type UserSignedAction } from '@svc/hyperliquid'
import { openLegSigner } from '@svc/hyperliquid/signing'
import type { Clock } from '@svc/service'
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import type { VenueRig } from './server.ts'
import { USER_SIGNED, type UserSignedName } from './wire.ts'

/** A wallet of the tests. Owners have odd numbers, agents even ones. */
export const walletOf = (n: number): PrivateKeyAccount => privateKeyToAccount(`0x${n.toString(16).padStart(64, '0')}`)
/** The wallet of the owner with an account id. */
export const ownerWallet = (id: number): PrivateKeyAccount => walletOf(2 * id + 1)

const caller = (account_id: number, kind: Caller['kind'], wallet: string | null): Caller => ({
  account_id,
  kind,
  wallet,
  roles: [],
  scopes: ['read', 'write', 'tx'],
  tier: 0,
  key_id: null,
  session_id: null,
})
/** The caller of an owner's session. */
export const owner = (id: number): Caller => caller(id, 'owner', ownerWallet(id).address)
/** The caller of an agent's key. */
export const agent = (id: number): Caller => caller(id, 'agent', walletOf(2 * id).address)

/** What owners do at the venue without this service. */
export interface VenueHands {
  /** Trades by hand with a wallet of its own account; answers with the venue's words. */
  trade(wallet: PrivateKeyAccount, order: Pick<IocOrder, 'asset' | 'side' | 'price' | 'size'>): Promise<unknown>
  /** Signs an action with a wallet and posts it, as the venue's app does. */
  act(wallet: PrivateKeyAccount, action: UserSignedAction): Promise<unknown>
  /**
   * Signs any action that the venue understands with a wallet, by the SDK of another author, and posts it, as an app of the
   * owner's choice does. Members of an action of the venue's own ledger are in the order of the SDK's schema; nonce, network
   * and chain of the others are added.
   */
  app(
    wallet: PrivateKeyAccount,
    action: { readonly type: string } & Readonly<Record<string, unknown>>,
  ): Promise<unknown>
  /** Scope of an action that a wallet signs now; each has another nonce. */
  scope(): { network: 'testnet'; signatureChainId: number; nonce: number }
  /** Posts a body to the venue as anybody may. */
  post(endpoint: 'info' | 'exchange', body: unknown): Promise<unknown>
}

/** Signs typed data as a wallet does. */
export const signTypedData = (wallet: PrivateKeyAccount, typedData: object): Promise<`0x${string}`> =>
  wallet.signTypedData(typedData as Parameters<typeof wallet.signTypedData>[0])

/** Returns the hands of owners at the venue of a test, by its clock. */
export function handsOf(venue: VenueRig, clock: Clock): VenueHands {
  // Beyond the nonces that the service draws in the same moment.
  let acted = 1_000
  return {
    trade: async (wallet, order) => {
      const signer = openLegSigner(wallet, { network: 'testnet', owner: wallet.address, dexes: ['', 'xyz'] })
      acted += 1
      const nowMs = clock.now().getTime()
      const cloid = `0x${acted.toString(16).padStart(32, 'f')}` as const
      const { body } = await signer.signOrder({ reduceOnly: false, cloid, ...order }, { nonce: nowMs + acted, nowMs })
      return postTo(venue, 'exchange', body)
    },
    act: async (wallet, action) => {
      const signature = normalizeSignature(await signTypedData(wallet, typedDataOf(action)))
      if (signature === null) throw new Error('a local key signs in the usual form')
      return postTo(venue, 'exchange', userSignedBody(action, signature))
    },
    app: async (wallet, action) => {
      acted += 1
      const nonce = clock.now().getTime() + acted
      const types = USER_SIGNED[action.type as UserSignedName]
      if (types === undefined) {
        const signature = await signL1Action({ wallet, action, nonce, isTestnet: true })
        return postTo(venue, 'exchange', JSON.stringify({ action, signature, nonce }))
      }
      const named = Object.values(types)
        .flat()
        .some(({ name }) => name === 'time')
        ? { time: nonce }
        : { nonce }
      const whole = { ...action, ...named, signatureChainId: '0x7a69', hyperliquidChain: 'Testnet' } as const
      const signature = await signUserSignedAction({ wallet, action: whole, types })
      return postTo(venue, 'exchange', JSON.stringify({ action: whole, signature, nonce }))
    },
    scope: () => {
      acted += 1
      return { network: 'testnet', signatureChainId: 31_337, nonce: clock.now().getTime() + acted }
    },
    post: (endpoint, body) => postTo(venue, endpoint, JSON.stringify(body)),
  }
}

async function postTo({ url }: VenueRig, endpoint: string, body: string): Promise<unknown> {
  const answer = await fetch(`${url}/${endpoint}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  return answer.json()
}
